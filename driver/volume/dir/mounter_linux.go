// SPDX-License-Identifier: Apache-2.0

package dir

import (
	"context"
	"errors"
	"fmt"

	"github.com/csi-topo/csi-topo/driver/durable"
	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/mount"
)

// Mounter bind-mounts directories at paths of the node it runs on.
type Mounter struct {
	dirs  *Provisioner
	watch durable.Watch
}

var _ volume.Mounter = (*Mounter)(nil)

// NewMounter returns a mounter for the directories in the data directory. It needs
// root and Linux 5.14.
func NewMounter(config volume.MounterConfig) *Mounter {
	return &Mounter{dirs: at(config.DataDir, config.Watch), watch: config.Watch}
}

// Stage bind-mounts the directory of the volume that pods see.
func (m *Mounter) Stage(_ context.Context, id, stagingPath string, o volume.StageOptions) error {
	flags, err := checkDirOptions(o)
	if err != nil {
		return err
	}
	where, err := mount.OpenStaging(stagingPath)
	if err != nil {
		return err
	}
	defer where.Close()
	content, err := m.dirs.openContent(id)
	if err != nil {
		return err
	}
	defer content.Close()
	staged, err := m.isAt(id, stagingPath, flags.ReadOnly())
	if err != nil || staged {
		return err
	}
	return m.watch.Do("stage: bind", func() error { return mount.Bind(content, where, flags) })
}

// checkDirOptions refuses options that no directory allows.
func checkDirOptions(o volume.StageOptions) (mount.Flags, error) {
	if o.Block {
		return mount.Flags{}, fmt.Errorf("%w: a directory is not a block device: use volumes of kind %q for that", volume.ErrInvalid, volume.Image)
	}
	if o.FSType != "" {
		return mount.Flags{}, fmt.Errorf("%w: a directory has the file system of the data directory, and no other can be requested, as %q was: request none", volume.ErrInvalid, o.FSType)
	}
	flags, err := mount.ParseFlags(o.MountFlags, o.ReadOnly)
	if err != nil {
		return mount.Flags{}, err
	}
	if position := flags.OfFileSystem(); position > 0 {
		return mount.Flags{}, fmt.Errorf("%w: mount flag %d of %d is not supported for a directory: use ro, nosuid, nodev, noexec, nosymfollow, noatime, relatime, strictatime or nodiratime",
			volume.ErrInvalid, position, len(o.MountFlags))
	}
	return flags, nil
}

// Unstage unmounts the staging path. It returns volume.ErrNotFound for a volume that has neither a mount there nor a
// directory.
func (m *Mounter) Unstage(ctx context.Context, id, stagingPath string) error {
	unmounted, err := mount.UnmountOwn(stagingPath, ownsDir(id), func() error {
		return m.watch.Do("unstage: unmount", func() error { return mount.Unmount(ctx, stagingPath) })
	})
	if err != nil || unmounted {
		return err
	}
	return m.checkExists(id)
}

// Publish bind-mounts the staging path at the target path, a directory that it makes.
func (m *Mounter) Publish(_ context.Context, id, stagingPath, targetPath string, o volume.PublishOptions) error {
	if o.Block {
		return fmt.Errorf("%w: a directory is not a block device: use volumes of kind %q for that", volume.ErrInvalid, volume.Image)
	}
	if err := m.exists(id); err != nil {
		return err
	}
	staged, err := m.find(id, stagingPath)
	if errors.Is(err, volume.ErrNotFound) {
		return fmt.Errorf("%w: volume %q is not staged at %s: stage it first", volume.ErrRefused, id, stagingPath)
	}
	if err != nil {
		return err
	}
	readOnly := o.ReadOnly || mount.IsReadOnly(staged)
	published, err := m.isAt(id, targetPath, readOnly)
	if err != nil || published {
		return err
	}
	return mount.PublishDirectory(m.watch, stagingPath, targetPath, readOnly)
}

// Unpublish unmounts the target path and removes the directory, but never its content. It returns volume.ErrNotFound for
// a volume that has neither a mount there nor a directory.
func (m *Mounter) Unpublish(ctx context.Context, id, targetPath string) error {
	unmounted, err := mount.Unpublish(ctx, m.watch, targetPath, ownsDir(id))
	if err != nil || unmounted {
		return err
	}
	return m.checkExists(id)
}

// Expand grows nothing, because the volume has the file system of the data directory,
// and returns the size of the volume in bytes.
func (m *Mounter) Expand(ctx context.Context, id, volumePath string) (int64, error) {
	if err := m.exists(id); err != nil {
		return 0, err
	}
	if _, err := m.find(id, volumePath); err != nil {
		return 0, err
	}
	return m.dirs.Size(ctx, id)
}

// Usage returns the usage of the file system of the data directory.
func (m *Mounter) Usage(_ context.Context, id, volumePath string) (volume.Usage, error) {
	if err := m.exists(id); err != nil {
		return volume.Usage{}, err
	}
	if _, err := m.find(id, volumePath); err != nil {
		return volume.Usage{}, err
	}
	return mount.UsageAt(volumePath)
}

// EmptyTrash removes files that pods left in deleted volumes and that the controller, which is not root, could not
// remove. It should be called from time to time.
func (m *Mounter) EmptyTrash(ctx context.Context) error {
	return m.dirs.emptyTrash(ctx, func(string) bool { return true })
}
