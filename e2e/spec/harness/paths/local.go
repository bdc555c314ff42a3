// SPDX-License-Identifier: Apache-2.0

// Package paths makes directories and writes to volumes on nodes that share the file system of this process.
package paths

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/moby/sys/mountinfo"
)

// Local makes directories below itself in the file system of this process, which the nodes share.
type Local string

// Root returns the path itself.
func (p Local) Root() string { return string(p) }

// Make makes a directory that only the user of this process may enter.
func (Local) Make(_ context.Context, _, path string) error {
	const private = 0o700
	return os.MkdirAll(path, private)
}

// Remove removes an empty directory only: the suite does not touch files that a driver has left in one.
func (Local) Remove(_ context.Context, _, path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Exists reports whether anything exists at the path.
func (Local) Exists(_ context.Context, _, path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Data reports that Write and Read work.
func (Local) Data() bool { return true }

// Write writes to a file or a device, and returns when the data is stored.
func (Local) Write(_ context.Context, _, path string, offset int64, data []byte) error {
	const private = 0o600
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, private)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(data, offset)
	return errors.Join(err, file.Sync(), file.Close())
}

// Read reads as many bytes as there are, up to most.
func (Local) Read(_ context.Context, _, path string, offset int64, most int) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	data := make([]byte, most)
	read, err := file.ReadAt(data, offset)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return data[:read], errors.Join(err, file.Close())
}

// Mounted reports whether the path is a mount point or a device.
func (Local) Mounted(_ context.Context, _, path string) (mounted, known bool, err error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, true, nil
	}
	if err != nil || info.Mode()&fs.ModeDevice != 0 {
		return err == nil, err == nil, err
	}
	mounted, err = mountinfo.Mounted(path)
	return mounted, err == nil, err
}

// Unmount unmounts the path, as a reboot of the node does. It returns an error if the user is not allowed to.
func (Local) Unmount(_ context.Context, _, path string) error {
	return unmount(path)
}
