// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/mount"
)

// Stage attaches the image to a loop device and mounts it or, for a block volume, bind-mounts the device on a file in the
// staging path.
func (m *Mounter) Stage(ctx context.Context, id, stagingPath string, o volume.StageOptions) error {
	flags, err := checkOptions(o)
	if err != nil {
		return err
	}
	if o.FSType == "" {
		o.FSType = volume.Image.FileSystems()[0]
	}
	o.ReadOnly = flags.ReadOnly()
	where, err := mount.OpenStaging(stagingPath)
	if err != nil {
		return err
	}
	defer where.Close()
	staged, err := m.isStagedAs(id, stagingPath, o)
	if err != nil || staged {
		return err
	}
	if o.Block {
		return m.stageBlock(ctx, id, where, o.ReadOnly)
	}
	return m.stageFileSystem(ctx, id, where, o.FSType, flags)
}

// checkOptions refuses options that no image allows.
func checkOptions(o volume.StageOptions) (mount.Flags, error) {
	if o.Block && (o.FSType != "" || len(o.MountFlags) > 0) {
		return mount.Flags{}, fmt.Errorf("%w: a raw block device has neither a file system nor mount flags: ask for none", volume.ErrInvalid)
	}
	if o.FSType != "" && !slices.Contains(volume.Image.FileSystems(), o.FSType) {
		return mount.Flags{}, fmt.Errorf("%w: file system %q is not supported: ask for one of %q", volume.ErrInvalid, o.FSType, volume.Image.FileSystems())
	}
	return mount.ParseFlags(o.MountFlags, o.ReadOnly)
}

// isStagedAs reports whether the volume is at the path as requested, and then grows its file system. It returns
// volume.ErrIncompatible if the volume is there in another way, or something else is.
func (m *Mounter) isStagedAs(id, path string, o volume.StageOptions) (bool, error) {
	found, err := m.find(id, path)
	if errors.Is(err, volume.ErrNotFound) {
		return false, m.checkNothingMounted(id, path)
	}
	if err != nil {
		return false, err
	}
	defer found.Close()
	if found.block != o.Block || !o.Block && found.mount.FSType != o.FSType || found.readOnly != o.ReadOnly {
		return false, fmt.Errorf("%w: volume %q is at %s as %s, and %s is requested: unstage it first", volume.ErrIncompatible, id, path, found, describe(o.Block, o.FSType, o.ReadOnly))
	}
	// The call that mounted it may have ended before it grew the file system.
	if !o.Block && !o.ReadOnly && o.FSType == "xfs" {
		return true, m.grow(found.device, path)
	}
	return true, nil
}

// checkNothingMounted returns nil if the image exists and nothing is mounted at the path.
func (m *Mounter) checkNothingMounted(id, path string) error {
	if _, err := m.images.stat(id); err != nil {
		return err
	}
	for _, at := range []string{path, devicePath(path)} {
		found, err := mount.At(at)
		if err != nil {
			return err
		}
		if found != nil {
			return fmt.Errorf("%w: %s (%s) is mounted at %s: unmount it first", volume.ErrIncompatible, found.Source, found.FSType, at)
		}
	}
	return nil
}

// Unstage unmounts the staging path, so that the kernel frees the loop device, and detaches the device of a block volume.
// It returns volume.ErrNotFound for a volume that has neither a mount there nor an image.
func (m *Mounter) Unstage(ctx context.Context, id, stagingPath string) error {
	unmounted, err := mount.UnmountOwn(stagingPath, m.owns(id), func() error {
		return m.watch.Do("unstage: unmount", func() error { return mount.Unmount(ctx, stagingPath) })
	})
	if err != nil {
		return err
	}
	released, err := m.unstageBlock(ctx, id, stagingPath)
	if err != nil || unmounted || released {
		return err
	}
	return m.checkExists(id)
}

// checkExists ends a call that had nothing to do: it returns volume.ErrNotFound if the image does not exist. Other errors
// of looking it up do not matter to a call that removes mounts.
func (m *Mounter) checkExists(id string) error {
	if _, err := m.images.stat(id); errors.Is(err, volume.ErrNotFound) {
		return err
	}
	return nil
}

// describe describes how a volume is used or requested, for messages.
func describe(block bool, fsType string, readOnly bool) string {
	access := "writable"
	if readOnly {
		access = "read-only"
	}
	if block {
		return access + " block device"
	}
	return access + " " + fsType
}
