// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/moby/sys/mountinfo"
	"golang.org/x/sys/unix"
)

// mountsAt returns what is mounted at the path itself, the last being what is seen.
func mountsAt(path string) ([]*mountinfo.Info, error) {
	parent, err := filepath.EvalSymlinks(filepath.Dir(filepath.Clean(path)))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("resolving %s: %w", path, err)
	}
	resolved := filepath.Join(parent, filepath.Base(path))
	mounts, err := mountinfo.GetMounts(func(m *mountinfo.Info) (skip, stop bool) { return m.Mountpoint != resolved, false })
	if err != nil {
		return nil, fmt.Errorf("reading the mount table for %s: %w", path, err)
	}
	return mounts, nil
}

// mountedAt returns what is seen at the path, nil for nothing.
func mountedAt(path string) (*mountinfo.Info, error) {
	mounts, err := mountsAt(path)
	if err != nil || len(mounts) == 0 {
		return nil, err
	}
	return mounts[len(mounts)-1], nil
}

// owns tells whether a mount is of the volume that is asked for.
type owns func(*mountinfo.Info) (bool, error)

// unmountOwn unmounts what is mounted at the path as often as it is the volume's.
// ErrRefused if something else lies over that; something else alone is left alone.
func unmountOwn(path string, own owns, unmount func() error) (unmounted bool, err error) {
	for {
		mounts, err := mountsAt(path)
		if err != nil {
			return unmounted, err
		}
		last, err := lastOwn(mounts, own)
		if err != nil || last < 0 {
			return unmounted, err
		}
		if top := mounts[len(mounts)-1]; last < len(mounts)-1 {
			return unmounted, fmt.Errorf("%w: %s (%s) is mounted over the volume at %s: unmount it first", ErrRefused, top.Source, top.FSType, path)
		}
		if err := unmount(); err != nil {
			return unmounted, err
		}
		unmounted = true
	}
}

// lastOwn returns the index of the last mount that is the volume's, -1 for none.
func lastOwn(mounts []*mountinfo.Info, own owns) (int, error) {
	for i := len(mounts) - 1; i >= 0; i-- {
		if is, err := own(mounts[i]); err != nil || is {
			return i, err
		}
	}
	return -1, nil
}

// isReadOnly tells whether the mount itself, whatever its file system, is read-only.
func isReadOnly(m *mountinfo.Info) bool {
	return slices.Contains(strings.Split(m.Options, ","), "ro")
}
