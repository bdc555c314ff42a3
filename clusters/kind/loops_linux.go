// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

type inode struct {
	device uint64
	number uint64
}

// detachLoops frees the loop devices on files below dir. An unmounted volume frees its device, so there are none unless
// something held one; in any case, none may stay on the host.
func detachLoops(ctx context.Context, dir string) error {
	files, err := inodes(dir)
	if err != nil || len(files) == 0 {
		return err
	}
	devices, err := filepath.Glob("/sys/block/loop*/loop")
	if err != nil {
		return err
	}
	var errs []error
	for _, device := range devices {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		name := "/dev/" + filepath.Base(filepath.Dir(device))
		if err := detachLoop(name, files); err != nil {
			errs = append(errs, fmt.Errorf("freeing %s: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// detachLoop frees one device when its file is among the given ones.
func detachLoop(name string, files map[inode]bool) error {
	device, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // The file of the device is missing in this /dev.
	}
	if err != nil {
		return err
	}
	defer func() { _ = device.Close() }()
	info, err := unix.IoctlLoopGetStatus64(int(device.Fd()))
	if errors.Is(err, unix.ENXIO) {
		return nil // Nothing is attached.
	}
	if err != nil {
		return err
	}
	if !files[inode{device: info.Device, number: info.Inode}] {
		return nil
	}
	err = unix.IoctlSetInt(int(device.Fd()), unix.LOOP_CLR_FD, 0)
	if errors.Is(err, unix.ENXIO) {
		return nil
	}
	return err
}

func inodes(dir string) (map[inode]bool, error) {
	files := map[inode]bool{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !strings.HasSuffix(name, ".img") {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			files[inode{device: stat.Dev, number: stat.Ino}] = true
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for volumes below %s: %w", dir, err)
	}
	return files, nil
}
