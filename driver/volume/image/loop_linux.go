// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/csi-topo/csi-topo/driver/volume"
)

const (
	loopControl = "/dev/loop-control"
	// attachTries limits the number of attempts if other nodes on the same kernel take the free loop device first.
	attachTries = 64
	// lockTimeout limits the wait for a previous loop device to be released, and
	// lockInterval is the interval between checks.
	lockTimeout  = 5 * time.Second
	lockInterval = 50 * time.Millisecond
)

// attachment describes how an image is to be attached to a loop device.
type attachment struct {
	// label is the text that the kernel keeps with the device (lo_file_name).
	label    string
	readOnly bool
	// stays keeps the device until it is detached. Otherwise the kernel frees it at
	// the last close (autoclear), even when this process is killed in between.
	stays bool
}

// attach attaches the image to a free loop device; the caller closes it.
func attach(ctx context.Context, image *os.File, as attachment) (*os.File, error) {
	how := unix.LOCK_EX
	if as.readOnly {
		how = unix.LOCK_SH
	}
	if err := lock(ctx, image, how, lockTimeout); err != nil {
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
		device, err := configure(number, image, as)
		if errors.Is(err, unix.EBUSY) {
			continue // another node was faster
		}
		return device, err
	}
	return nil, fmt.Errorf("could not claim a loop device in %d attempts: other processes took each free one first", attachTries)
}

// lock locks the image, shared for readers or exclusively. The lock belongs to the open file, which the loop device holds
// too, so that it lasts as long as the device: neither this node nor another one on the same kernel can attach the image
// to a second writable device. Two of them would corrupt it.
//
// A device may briefly remain after it is unmounted, for example if a starting container has a copy of the mount;
// therefore lock waits up to the timeout.
func lock(ctx context.Context, image *os.File, how int, timeout time.Duration) error {
	var failed error
	err := wait.PollUntilContextTimeout(ctx, lockInterval, timeout, true, func(context.Context) (bool, error) {
		failed = unix.Flock(int(image.Fd()), how|unix.LOCK_NB)
		if errors.Is(failed, unix.EWOULDBLOCK) {
			return false, nil
		}
		return true, failed
	})
	if errors.Is(failed, unix.EWOULDBLOCK) {
		return fmt.Errorf("%w: %s is attached to a loop device already, here or on another node, or is being copied: unpublish the volume there, or wait", volume.ErrRefused, image.Name())
	}
	if err != nil {
		return fmt.Errorf("locking %s: %w", image.Name(), err)
	}
	return nil
}

// configure opens the loop device and attaches the image to it; EBUSY if another image is attached.
func configure(number int, image *os.File, as attachment) (*os.File, error) {
	mode, flags := os.O_RDWR, uint32(0)
	if as.readOnly {
		mode, flags = os.O_RDONLY, unix.LO_FLAGS_READ_ONLY
	}
	if !as.stays {
		flags |= unix.LO_FLAGS_AUTOCLEAR
	}
	device, err := openDevice(fmt.Sprintf("loop%d", number), mode)
	if err != nil {
		return nil, err
	}
	config := &unix.LoopConfig{Fd: uint32(image.Fd()), Info: unix.LoopInfo64{Flags: flags}}
	copy(config.Info.File_name[:len(config.Info.File_name)-1], as.label)
	if err := unix.IoctlLoopConfigure(int(device.Fd()), config); err != nil {
		return nil, fmt.Errorf("attaching %s to %s: %w", image.Name(), device.Name(), errors.Join(err, device.Close()))
	}
	return device, nil
}

// detach detaches the image from the loop device; the kernel does so once it is no longer
// open. It succeeds for a device without an image.
func detach(device *os.File) error {
	if err := unix.IoctlSetInt(int(device.Fd()), unix.LOOP_CLR_FD, 0); err != nil && !errors.Is(err, unix.ENXIO) {
		return fmt.Errorf("detaching %s: %w", device.Name(), err)
	}
	return nil
}

// updateCapacity gives the loop device the size that its image has now.
func updateCapacity(device *os.File) error {
	if err := unix.IoctlSetInt(int(device.Fd()), unix.LOOP_SET_CAPACITY, 0); err != nil {
		return fmt.Errorf("letting %s grow to its image: %w", device.Name(), err)
	}
	return nil
}

// statusOf returns the kernel's status of the loop device, nil if nothing is attached.
func statusOf(device *os.File) (*unix.LoopInfo64, error) {
	info, err := unix.IoctlLoopGetStatus64(int(device.Fd()))
	if errors.Is(err, unix.ENXIO) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("asking %s for its image: %w", device.Name(), err)
	}
	return info, nil
}

// isAttachedTo reports whether the loop device is attached to the image.
func isAttachedTo(device *os.File, image os.FileInfo) (bool, error) {
	info, err := statusOf(device)
	if err != nil || info == nil {
		return false, err
	}
	stat, ok := image.Sys().(*syscall.Stat_t)
	if !ok {
		return false, fmt.Errorf("image %s has no inode to compare with that of %s", image.Name(), device.Name())
	}
	return info.Device == stat.Dev && info.Inode == stat.Ino, nil
}
