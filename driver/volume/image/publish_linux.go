// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"fmt"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/mount"
)

// Publish bind-mounts the staged volume at the target path, a directory or, for a block volume, a file, which it makes in
// a directory of the caller.
func (m *Mounter) Publish(_ context.Context, id, stagingPath, targetPath string, o volume.PublishOptions) error {
	if _, err := m.images.stat(id); err != nil {
		return err
	}
	staged, err := m.find(id, stagingPath)
	if errors.Is(err, volume.ErrNotFound) {
		return fmt.Errorf("%w: volume %q is not staged at %s: stage it first", volume.ErrRefused, id, stagingPath)
	}
	if err != nil {
		return err
	}
	defer staged.Close()
	if staged.block != o.Block {
		return fmt.Errorf("%w: volume %q is staged as %s: unstage it, and stage it as it is to be published", volume.ErrRefused, id, staged)
	}
	if o.Block && o.ReadOnly && !staged.readOnly {
		return fmt.Errorf("%w: volume %q is staged as %s, and a read-only bind mount does not prevent writing to a device: stage it with an access mode that only reads", volume.ErrRefused, id, staged)
	}
	readOnly := o.ReadOnly || staged.readOnly
	published, err := m.publishedAs(id, targetPath, o.Block, readOnly)
	if err != nil || published {
		return err
	}
	if o.Block {
		return mount.Publish(m.watch, staged.device, targetPath, true, mount.Flags{})
	}
	return mount.PublishDirectory(m.watch, stagingPath, targetPath, readOnly)
}

// publishedAs reports whether the volume is at the path as requested. It returns volume.ErrIncompatible if the volume is
// there in another way, or something else is.
func (m *Mounter) publishedAs(id, path string, block, readOnly bool) (bool, error) {
	found, err := m.find(id, path)
	if errors.Is(err, volume.ErrNotFound) {
		return false, m.checkNothingMounted(id, path)
	}
	if err != nil {
		return false, err
	}
	defer found.Close()
	if found.block != block || found.readOnly != readOnly {
		return false, fmt.Errorf("%w: volume %q is at %s as %s, and %s is requested: unpublish it first", volume.ErrIncompatible, id, path, found, describe(block, found.mount.FSType, readOnly))
	}
	return true, nil
}

// Unpublish unmounts the target path and removes the directory or the file, but never its content. It returns
// volume.ErrNotFound for a volume that has neither a mount there nor an image.
func (m *Mounter) Unpublish(ctx context.Context, id, targetPath string) error {
	unmounted, err := mount.Unpublish(ctx, m.watch, targetPath, m.owns(id))
	if err != nil || unmounted {
		return err
	}
	return m.checkExists(id)
}
