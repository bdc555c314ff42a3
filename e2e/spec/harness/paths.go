// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/moby/sys/mountinfo"
)

// LocalPaths makes directories below root in this process' file system, which is that of the nodes too.
func LocalPaths(root string) Paths {
	return localPaths(root)
}

type localPaths string

func (p localPaths) Root() string { return string(p) }

func (localPaths) Make(_ context.Context, _, path string) error {
	const private = 0o700
	return os.MkdirAll(path, private)
}

// Remove removes an empty directory only: what a driver has left in one is not the suite's.
func (localPaths) Remove(_ context.Context, _, path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (localPaths) Exists(_ context.Context, _, path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (localPaths) Data() bool { return true }

func (localPaths) Write(_ context.Context, _, path string, offset int64, data []byte) error {
	const private = 0o600
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, private)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(data, offset)
	return errors.Join(err, file.Sync(), file.Close())
}

func (localPaths) Read(_ context.Context, _, path string, offset int64, most int) ([]byte, error) {
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

func (localPaths) Mounted(_ context.Context, _, path string) (mounted, known bool, err error) {
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
