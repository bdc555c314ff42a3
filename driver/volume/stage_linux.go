// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Stage attaches the image to a loop device and mounts it, or, of a block volume,
// binds the device to a file in the staging path.
func (m *LoopMounter) Stage(ctx context.Context, id, stagingPath string, o StageOptions) error {
	flags, err := o.check()
	if err != nil {
		return err
	}
	if o.FSType == "" {
		o.FSType = Image.FileSystems()[0]
	}
	o.ReadOnly = flags.readOnly()
	where, err := openStaging(stagingPath)
	if err != nil {
		return err
	}
	defer where.Close()
	staged, err := m.stagedAs(id, stagingPath, o)
	if err != nil || staged {
		return err
	}
	if o.Block {
		return m.stageBlock(ctx, id, where, o.ReadOnly)
	}
	return m.stageFileSystem(ctx, id, where, o.FSType, flags)
}

// check refuses what no image allows.
func (o StageOptions) check() (mountFlags, error) {
	if o.Block && (o.FSType != "" || len(o.MountFlags) > 0) {
		return mountFlags{}, fmt.Errorf("%w: a raw block device has neither a file system nor mount flags: ask for none", ErrInvalid)
	}
	if o.FSType != "" && !slices.Contains(Image.FileSystems(), o.FSType) {
		return mountFlags{}, fmt.Errorf("%w: file system %q is not supported: ask for one of %q", ErrInvalid, o.FSType, Image.FileSystems())
	}
	return parseMountFlags(o.MountFlags, o.ReadOnly)
}

// stagedAs tells whether the volume is at the path in the way asked, and lets its
// file system grow if so; ErrIncompatible when the path has it in another way, or
// has something else.
func (m *LoopMounter) stagedAs(id, path string, o StageOptions) (bool, error) {
	found, err := m.find(id, path)
	if errors.Is(err, ErrNotFound) {
		return false, m.vacant(id, path)
	}
	if err != nil {
		return false, err
	}
	defer found.Close()
	if found.block != o.Block || !o.Block && found.mount.FSType != o.FSType || found.readOnly != o.ReadOnly {
		return false, fmt.Errorf("%w: volume %q is at %s as %s, asked is %s: unstage it first", ErrIncompatible, id, path, found, inWords(o.Block, o.FSType, o.ReadOnly))
	}
	// The call that mounted it may have ended before it let the file system grow.
	if !o.Block && !o.ReadOnly && o.FSType == "xfs" {
		return true, m.grow(found.device, path)
	}
	return true, nil
}

// vacant answers nil if the image is there and nothing at all is mounted at the path.
func (m *LoopMounter) vacant(id, path string) error {
	if _, err := m.images.stat(id); err != nil {
		return err
	}
	for _, at := range []string{path, devicePath(path)} {
		found, err := mountedAt(at)
		if err != nil {
			return err
		}
		if found != nil {
			return fmt.Errorf("%w: %s (%s) is mounted at %s: unmount it first", ErrIncompatible, found.Source, found.FSType, at)
		}
	}
	return nil
}

// Unstage unmounts the staging path, after which the kernel frees the loop device, and
// detaches that of a block volume. ErrNotFound for a volume that has neither
// anything there nor an image.
func (m *LoopMounter) Unstage(ctx context.Context, id, stagingPath string) error {
	unmounted, err := unmountOwn(stagingPath, m.owns(id), func() error {
		return m.watch.Do("unstage: unmount", func() error { return unmount(ctx, stagingPath) })
	})
	if err != nil {
		return err
	}
	released, err := m.unstageBlock(ctx, id, stagingPath)
	if err != nil || unmounted || released {
		return err
	}
	return m.known(id)
}

// known answers a call that had nothing to do: ErrNotFound if there is no image. Why
// else that cannot be looked at is nothing to one who takes a volume from its node.
func (m *LoopMounter) known(id string) error {
	if _, err := m.images.stat(id); errors.Is(err, ErrNotFound) {
		return err
	}
	return nil
}

// inWords is for people: how a volume is, or is wanted.
func inWords(block bool, fsType string, readOnly bool) string {
	access := "writable"
	if readOnly {
		access = "read-only"
	}
	if block {
		return access + " block device"
	}
	return access + " " + fsType
}
