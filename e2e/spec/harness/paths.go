package harness

import (
	"context"
	"errors"
	"io/fs"
	"os"
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
