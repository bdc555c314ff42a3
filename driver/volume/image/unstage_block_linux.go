// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"fmt"

	"github.com/moby/sys/mountinfo"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/mount"
)

// unstageBlock unmounts the device of a block volume from the staging path and detaches it. It returns volume.ErrRefused
// as long as the volume is published, because its user would lose it.
func (m *Mounter) unstageBlock(ctx context.Context, id, stagingPath string) (released bool, err error) {
	bound, err := m.findBindMounts(id)
	if err != nil {
		return false, err
	}
	file, err := openDeviceFile(stagingPath)
	if err != nil {
		return false, err
	}
	if file == nil {
		if len(bound) > 0 {
			return false, nil // it is staged elsewhere
		}
		return m.detachOwn(id)
	}
	defer file.Close()
	mounts, err := mount.AllAt(file.Path)
	if err != nil {
		return false, err
	}
	last, err := mount.LastOwn(mounts, m.owns(id))
	if err != nil || last < 0 && len(bound) > 0 {
		return false, err
	}
	for _, at := range bound {
		if at != mounts[last].Mountpoint {
			return false, fmt.Errorf("%w: the device of volume %q is at %s too: unpublish it there first", volume.ErrRefused, id, at)
		}
	}
	unbound, err := mount.UnmountOwn(file.Path, m.owns(id), func() error {
		return m.watch.Do("unstage: unbind device", func() error { return mount.Unmount(ctx, file.Path) })
	})
	if err != nil {
		return unbound, err
	}
	detached, err := m.detachOwn(id)
	if err != nil {
		return detached, err
	}
	return unbound || detached, mount.RemoveUnlessMounted(m.watch, "unstage: remove device file", file)
}

// openDeviceFile opens the place of the device in a staging path; nil if there can be none, because a file system is
// mounted there or the path is a link.
func openDeviceFile(stagingPath string) (*mount.Place, error) {
	mounted, err := mount.At(stagingPath)
	if err != nil || mounted != nil {
		return nil, err
	}
	staging, err := mount.OpenStaging(stagingPath)
	if errors.Is(err, volume.ErrInvalid) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer staging.Close()
	return mount.PlaceIn(staging, deviceFile)
}

// findBindMounts returns the paths where the device of the volume is bind-mounted.
func (m *Mounter) findBindMounts(id string) ([]string, error) {
	mounts, err := mountinfo.GetMounts(func(found *mountinfo.Info) (skip, stop bool) {
		_, block, is := loopOf(found)
		return !is || !block, false
	})
	if err != nil {
		return nil, fmt.Errorf("reading the mount table: %w", err)
	}
	var paths []string
	for _, found := range mounts {
		label, _, err := labelAt(found)
		if err != nil {
			return nil, err
		}
		if label == m.label(id) {
			paths = append(paths, found.Mountpoint)
		}
	}
	return paths, nil
}

// detachOwn detaches the device that this node attached for the volume. It succeeds if there is none.
func (m *Mounter) detachOwn(id string) (detached bool, err error) {
	device, err := m.ownDevice(id)
	if err != nil || device == nil {
		return false, err
	}
	defer device.Close()
	return true, m.watch.Do("loop: detach", func() error { return detach(device) })
}
