// SPDX-License-Identifier: Apache-2.0

package mount

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/moby/sys/mountinfo"
	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// AllAt returns the mounts at the path itself; the last one is visible.
func AllAt(path string) ([]*mountinfo.Info, error) {
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

// At returns the visible mount at the path, or nil.
func At(path string) (*mountinfo.Info, error) {
	mounts, err := AllAt(path)
	if err != nil || len(mounts) == 0 {
		return nil, err
	}
	return mounts[len(mounts)-1], nil
}

// Any reports whether something is mounted at one of the paths. It skips empty ones.
func Any(paths ...string) (bool, error) {
	for _, path := range paths {
		if path == "" {
			continue
		}
		if mounted, err := At(path); err != nil || mounted != nil {
			return mounted != nil, err
		}
	}
	return false, nil
}

// Owner reports whether a mount belongs to one volume.
type Owner func(*mountinfo.Info) (bool, error)

// UnmountOwn unmounts all mounts of the volume at the path. It returns volume.ErrRefused if another mount covers them;
// other mounts alone are left alone.
func UnmountOwn(path string, own Owner, unmount func() error) (unmounted bool, err error) {
	for {
		mounts, err := AllAt(path)
		if err != nil {
			return unmounted, err
		}
		last, err := LastOwn(mounts, own)
		if err != nil || last < 0 {
			return unmounted, err
		}
		if top := mounts[len(mounts)-1]; last < len(mounts)-1 {
			return unmounted, fmt.Errorf("%w: %s (%s) is mounted over the volume at %s: unmount it first", volume.ErrRefused, top.Source, top.FSType, path)
		}
		if err := unmount(); err != nil {
			return unmounted, err
		}
		unmounted = true
	}
}

// LastOwn returns the index of the last mount of the volume, or -1.
func LastOwn(mounts []*mountinfo.Info, own Owner) (int, error) {
	for i := len(mounts) - 1; i >= 0; i-- {
		if is, err := own(mounts[i]); err != nil || is {
			return i, err
		}
	}
	return -1, nil
}

// IsReadOnly reports whether the mount itself, whatever its file system, is read-only.
func IsReadOnly(m *mountinfo.Info) bool {
	return slices.Contains(strings.Split(m.Options, ","), "ro")
}
