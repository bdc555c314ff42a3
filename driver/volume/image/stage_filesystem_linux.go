// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume/internal/mount"
)

// stageFileSystem makes a file system if there is none, grows it to the size of the image, and mounts it. The loop device
// lasts as long as the mount.
func (m *Mounter) stageFileSystem(ctx context.Context, id string, where *os.File, fsType string, flags mount.Flags) error {
	if fsType == "xfs" {
		// A clone, or a volume restored from a snapshot, has the UUID of its source,
		// and XFS would refuse to mount both on nodes of the same kernel.
		flags = flags.With("nouuid")
	}
	err := m.attachAndMount(ctx, id, where, fsType, flags)
	if flags.ReadOnly() && errors.Is(err, unix.EROFS) {
		// The last node did not unmount the file system, or it was copied while in use: to replay its journal, the device has
		// to be writable.
		if err := m.replay(ctx, id, fsType); err != nil {
			return err
		}
		err = m.attachAndMount(ctx, id, where, fsType, flags)
	}
	if err != nil {
		return fmt.Errorf("mounting volume %q at %s: %w", id, where.Name(), err)
	}
	return nil
}

func (m *Mounter) attachAndMount(ctx context.Context, id string, where *os.File, fsType string, flags mount.Flags) error {
	device, err := m.attach(ctx, id, flags.ReadOnly(), false)
	if err != nil {
		return err
	}
	defer device.Close()
	if err := m.makeFileSystem(id, device, fsType, flags.ReadOnly()); err != nil {
		return err
	}
	block, err := readSuperblock(device)
	if err != nil {
		return err
	}
	bytes, err := deviceBytes(device)
	if err != nil {
		return err
	}
	grows := !flags.ReadOnly() && block.canGrow(bytes)
	if grows && fsType == "ext4" {
		if err := m.growUnmounted(device); err != nil {
			return err
		}
	}
	err = m.watch.Do("stage: mount", func() error { return mount.FileSystem(device.Name(), fsType, flags, where) })
	if err == nil && grows && fsType == "xfs" {
		return m.grow(device, where.Name())
	}
	return err
}

// replay replays the journal of a file system that is mounted nowhere.
func (m *Mounter) replay(ctx context.Context, id, fsType string) error {
	var flags mount.Flags
	if fsType == "xfs" {
		flags = flags.With("nouuid")
	}
	device, err := m.attach(ctx, id, false, false)
	if err != nil {
		return err
	}
	defer device.Close()
	return m.watch.Do("stage: replay journal", func() error {
		pending, err := mount.OpenFileSystem(device.Name(), fsType, flags)
		if err != nil {
			return fmt.Errorf("replaying the journal of volume %q: %w", id, err)
		}
		return pending.Close()
	})
}

// attach attaches the image of the volume; the caller closes the device.
func (m *Mounter) attach(ctx context.Context, id string, readOnly, stays bool) (*os.File, error) {
	image, err := m.images.open(id, readOnly)
	if err != nil {
		return nil, err
	}
	defer image.Close()
	var device *os.File
	err = m.watch.Do("loop: attach", func() (err error) {
		device, err = attach(ctx, image, attachment{label: m.label(id), readOnly: readOnly, stays: stays})
		return err
	})
	if err != nil && device != nil {
		return nil, errors.Join(err, device.Close())
	}
	return device, err
}
