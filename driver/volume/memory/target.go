// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// makeTarget makes the target of a volume: a directory, or a file for a block device. An existing one stays;
// volume.ErrInvalid if something else is there.
func makeTarget(path string, block bool) error {
	info, err := os.Lstat(path)
	switch {
	case err == nil:
		if !isTarget(info) || info.IsDir() == block {
			return fmt.Errorf("%w: there is something else at %s (its mode is %s): remove it yourself", volume.ErrInvalid, path, info.Mode())
		}
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("looking at %s: %w", path, err)
	case !block:
		return os.Mkdir(path, 0o750)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}

// removeTarget removes an empty directory or file, as makeTarget makes it, and a file only if block is true; otherwise it
// returns volume.ErrInvalid. It succeeds if nothing is there.
func removeTarget(path string, block bool) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking at %s: %w", path, err)
	}
	remove := unix.Rmdir
	if !info.IsDir() {
		if !block || !isTarget(info) {
			return notTarget(path, info)
		}
		remove = unix.Unlink
	}
	err = remove(path)
	switch {
	case errors.Is(err, unix.ENOTEMPTY):
		return notTarget(path, info)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("removing %s: %w", path, err)
	}
	return nil
}

func notTarget(path string, info fs.FileInfo) error {
	return fmt.Errorf("%w: %s is neither an empty directory nor an empty file that a device was bound to (its mode is %s): this driver did not create it, so remove it yourself", volume.ErrInvalid, path, info.Mode())
}

// isTarget reports whether a volume may be published at the file or directory.
func isTarget(info fs.FileInfo) bool {
	return info.IsDir() || (info.Mode().IsRegular() && info.Size() == 0)
}
