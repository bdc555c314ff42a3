package volume

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"k8s.io/apimachinery/pkg/util/wait"
)

const (
	loopControl = "/dev/loop-control"
	// attachTries bounds how often a free loop device may be lost to another node,
	// all of which may share one kernel.
	attachTries = 64
	// lockTimeout is how long a loop device of before may take to go, and
	// lockInterval how often that is looked at.
	lockTimeout  = 5 * time.Second
	lockInterval = 50 * time.Millisecond
)

// loop is a loop device that is attached to an image for as long as something
// has the device open: this handle, and then the mount.
type loop struct {
	device *os.File
}

// path is the device's path.
func (l *loop) path() string { return l.device.Name() }

// Close gives up the handle; the device is freed unless it is mounted.
func (l *loop) Close() error { return l.device.Close() }

// attach makes a loop device of the image. The kernel frees it at the last close
// (autoclear), even when this process is killed in between.
func attach(ctx context.Context, image *os.File, readOnly bool) (*loop, error) {
	if err := lock(ctx, image); err != nil {
		return nil, err
	}
	control, err := os.OpenFile(loopControl, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("opening the loop driver (is the container privileged, the module loaded?): %w", err)
	}
	defer control.Close()
	for range attachTries {
		number, err := unix.IoctlRetInt(int(control.Fd()), unix.LOOP_CTL_GET_FREE)
		if err != nil {
			return nil, fmt.Errorf("asking for a free loop device: %w", err)
		}
		device, err := configure(number, image, readOnly)
		if errors.Is(err, unix.EBUSY) {
			continue // another node was faster
		}
		if err != nil {
			return nil, err
		}
		return &loop{device: device}, nil
	}
	return nil, fmt.Errorf("no loop device of %d that were free could be had: others take them all", attachTries)
}

// lock takes the image for this process. The lock belongs to the open file, which
// the loop device holds too, so that it lasts as long as the device does: no second
// device of the image can be made, by this node or by another one on the same
// kernel. Two of them would corrupt it.
//
// A device may outlive its unmounting for a moment, as when a container that is
// just starting has a copy of the mount; therefore lock waits up to lockTimeout.
func lock(ctx context.Context, image *os.File) error {
	var failed error
	err := wait.PollUntilContextTimeout(ctx, lockInterval, lockTimeout, true, func(context.Context) (bool, error) {
		failed = unix.Flock(int(image.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if errors.Is(failed, unix.EWOULDBLOCK) {
			return false, nil
		}
		return true, failed
	})
	if errors.Is(failed, unix.EWOULDBLOCK) {
		return fmt.Errorf("%w: %s is attached to a loop device already, here or on another node: unmount it there first", ErrRefused, image.Name())
	}
	if err != nil {
		return fmt.Errorf("locking %s: %w", image.Name(), err)
	}
	return nil
}

// configure opens the loop device and attaches the image to it; EBUSY when someone else did.
func configure(number int, image *os.File, readOnly bool) (*os.File, error) {
	mode, flags := os.O_RDWR, uint32(unix.LO_FLAGS_AUTOCLEAR)
	if readOnly {
		mode, flags = os.O_RDONLY, flags|unix.LO_FLAGS_READ_ONLY
	}
	device, err := openDevice(fmt.Sprintf("loop%d", number), mode)
	if err != nil {
		return nil, err
	}
	config := &unix.LoopConfig{Fd: uint32(image.Fd()), Info: unix.LoopInfo64{Flags: flags}}
	copy(config.Info.File_name[:len(config.Info.File_name)-1], image.Name())
	if err := unix.IoctlLoopConfigure(int(device.Fd()), config); err != nil {
		return nil, fmt.Errorf("attaching %s to %s: %w", image.Name(), device.Name(), errors.Join(err, device.Close()))
	}
	return device, nil
}

// backs tells whether the loop device is attached to the image.
func backs(device *os.File, image os.FileInfo) (bool, error) {
	info, err := unix.IoctlLoopGetStatus64(int(device.Fd()))
	if errors.Is(err, unix.ENXIO) {
		return false, nil // attached to nothing
	}
	if err != nil {
		return false, fmt.Errorf("asking %s for its image: %w", device.Name(), err)
	}
	stat, ok := image.Sys().(*syscall.Stat_t)
	if !ok {
		return false, fmt.Errorf("image %s has no inode to compare with that of %s", image.Name(), device.Name())
	}
	return info.Device == stat.Dev && info.Inode == stat.Ino, nil
}
