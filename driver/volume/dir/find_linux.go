// SPDX-License-Identifier: Apache-2.0

package dir

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/moby/sys/mountinfo"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
	"github.com/csi-topo/csi-topo/driver/volume/internal/mount"
)

// checkExists ends a call that had nothing to do: it returns volume.ErrNotFound if the directory does not exist. Other
// errors of opening it do not matter to a call that removes mounts.
func (m *Mounter) checkExists(id string) error {
	if err := m.exists(id); errors.Is(err, volume.ErrNotFound) {
		return err
	}
	return nil
}

func (m *Mounter) exists(id string) error {
	dir, err := m.dirs.open(datadir.Volumes, id)
	if err != nil {
		return err
	}
	return dir.Close()
}

// find returns the mount of the volume that is seen at the path, or volume.ErrNotFound.
func (m *Mounter) find(id, path string) (*mountinfo.Info, error) {
	mounted, err := mount.At(path)
	if err != nil {
		return nil, err
	}
	if mounted == nil {
		return nil, fmt.Errorf("%w: volume %q is not at %s, nothing is mounted there", volume.ErrNotFound, id, path)
	}
	if is, err := ownsDir(id)(mounted); err != nil || !is {
		return nil, fmt.Errorf("%w: volume %q is not at %s, but %s of %s (%s) is", volume.ErrNotFound, id, path, mounted.Root, mounted.Source, mounted.FSType)
	}
	return mounted, nil
}

// isAt reports whether the volume is at the path as requested. It returns volume.ErrIncompatible if the volume is there
// in another way, or something else is.
func (m *Mounter) isAt(id, path string, readOnly bool) (bool, error) {
	mounted, err := mount.At(path)
	if err != nil || mounted == nil {
		return false, err
	}
	if _, err := m.find(id, path); err != nil {
		return false, fmt.Errorf("%w: %s (%s) is mounted at %s: unmount it first", volume.ErrIncompatible, mounted.Source, mounted.FSType, path)
	}
	if mount.IsReadOnly(mounted) != readOnly {
		return false, fmt.Errorf("%w: volume %q is at %s, read-only: %t, requested: %t: unpublish or unstage it there first", volume.ErrIncompatible, id, path, mount.IsReadOnly(mounted), readOnly)
	}
	return true, nil
}

// ownsDir returns the Owner for the mounts of the volume, based on the mounted directory, which has the volume's name
// even in the trash.
func ownsDir(id string) mount.Owner {
	return func(mounted *mountinfo.Info) (bool, error) {
		root := strings.TrimSuffix(mounted.Root, "//deleted")
		name := filepath.Base(filepath.Dir(root))
		return filepath.Base(root) == contentDir && (name == id+".dir" || strings.HasPrefix(name, id+".dir.")), nil
	}
}
