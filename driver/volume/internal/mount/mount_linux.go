// SPDX-License-Identifier: Apache-2.0

package mount

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// busyTimeout limits how long to retry unmounting a mount that is in use, and busyInterval is
// the interval between attempts.
const (
	busyTimeout  = 2 * time.Second
	busyInterval = 20 * time.Millisecond
)

// Bind bind-mounts the source at the target, with the flags of that one mount. They apply before the mount is visible: a
// read-only bind mount is never writable, as it is for a moment with mount(8).
func Bind(source, target *os.File, flags Flags) error {
	tree, err := unix.OpenTree(int(source.Fd()), "", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_EMPTY_PATH)
	if err != nil {
		return fmt.Errorf("taking hold of %s to bind it: %w", source.Name(), err)
	}
	defer unix.Close(tree)
	if flags.among != 0 {
		attributes := unix.MountAttr{Attr_set: flags.set, Attr_clr: flags.among}
		if err := unix.MountSetattr(tree, "", unix.AT_EMPTY_PATH, &attributes); err != nil {
			return fmt.Errorf("giving the bind of %s its mount flags: %w", source.Name(), err)
		}
	}
	return moveMount(tree, target)
}

// FileSystem mounts the file system on the device at the target. Unlike mount(8), it ignores no option, and returns
// volume.ErrInvalid for one that the file system does not have.
func FileSystem(device, fsType string, flags Flags, target *os.File) error {
	pending, err := OpenFileSystem(device, fsType, flags)
	if err != nil {
		return err
	}
	defer pending.Close()
	tree, err := unix.Fsmount(int(pending.Fd()), unix.FSMOUNT_CLOEXEC, int(flags.set))
	if err != nil {
		return fmt.Errorf("making the mount of %s: %w", device, flagged(err, flags))
	}
	defer unix.Close(tree)
	return moveMount(tree, target)
}

// OpenFileSystem sets the file system up, which replays its journal, but does not mount it anywhere yet. Closing the
// returned file releases it.
func OpenFileSystem(device, fsType string, flags Flags) (*os.File, error) {
	fd, err := unix.Fsopen(fsType, unix.FSOPEN_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("the kernel has no %s: %w", fsType, err)
	}
	pending := os.NewFile(uintptr(fd), fsType)
	if err := configureFileSystem(fd, device, flags); err != nil {
		return nil, errors.Join(err, pending.Close())
	}
	if err := unix.FsconfigCreate(fd); err != nil {
		return nil, errors.Join(fmt.Errorf("bringing up the %s on %s: %w", fsType, device, flagged(err, flags)), pending.Close())
	}
	return pending, nil
}

func configureFileSystem(fd int, device string, flags Flags) error {
	if err := unix.FsconfigSetString(fd, "source", device); err != nil {
		return fmt.Errorf("naming the device %s: %w", device, err)
	}
	if flags.ReadOnly() {
		if err := unix.FsconfigSetFlag(fd, "ro"); err != nil {
			return fmt.Errorf("asking for read-only: %w", err)
		}
	}
	for _, f := range flags.fileSystem {
		var err error
		if f.hasValue {
			err = unix.FsconfigSetString(fd, f.key, f.value)
		} else {
			err = unix.FsconfigSetFlag(fd, f.key)
		}
		if err != nil {
			return fmt.Errorf("%w: mount flag %d is not an option of the file system, or has a wrong value: %w", volume.ErrInvalid, f.position, err)
		}
	}
	return nil
}

// flagged attributes EINVAL to the options, if any were requested: the content of the device was checked before.
func flagged(err error, flags Flags) error {
	switch {
	case errors.Is(err, unix.EINVAL) && flags.asked():
		return fmt.Errorf("%w: the mount flags do not go together, or not with this file system: %w", volume.ErrInvalid, err)
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.EUCLEAN), errors.Is(err, unix.EBADMSG):
		return fmt.Errorf("%w: it is damaged, or newer than this kernel (see its log), repair it or restore the volume from a snapshot: %w", volume.ErrRefused, err)
	default:
		return err
	}
}

func moveMount(tree int, target *os.File) error {
	if err := unix.MoveMount(tree, "", int(target.Fd()), "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH); err != nil {
		return fmt.Errorf("mounting at %s: %w", target.Name(), err)
	}
	return nil
}

// Unmount unmounts the mount at the path itself, and never follows a link.
//
// A program that is just starting, such as mkfs for another volume, has a copy of every file that was open when it was
// forked; therefore Unmount retries for a while if the mount is in use.
func Unmount(ctx context.Context, path string) error {
	var failed error
	err := wait.PollUntilContextTimeout(ctx, busyInterval, busyTimeout, true, func(context.Context) (bool, error) {
		failed = unix.Unmount(path, unix.UMOUNT_NOFOLLOW)
		return !errors.Is(failed, unix.EBUSY), nil
	})
	if failed != nil {
		return fmt.Errorf("unmounting %s: %w", path, failed)
	}
	return err
}
