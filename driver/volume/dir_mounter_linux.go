// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"errors"
	"fmt"

	"github.com/csi-topo/csi-topo/driver/durable"
)

// DirMounter binds directories to paths of the node it runs on. Where the file
// system that they are in limits projects (mount option prjquota), it gives each
// the limit of its size.
type DirMounter struct {
	dirs  *Dirs
	watch durable.Watch
}

var _ Mounter = (*DirMounter)(nil)

// NewDirMounter returns a mounter for the directories. It needs root and Linux 5.14.
func NewDirMounter(dirs *Dirs, config MounterConfig) *DirMounter {
	return &DirMounter{dirs: dirs, watch: config.Watch}
}

// Stage limits the volume to its size, and binds what pods are to see of it.
func (m *DirMounter) Stage(ctx context.Context, id, stagingPath string, o StageOptions) error {
	flags, err := checkDirOptions(o)
	if err != nil {
		return err
	}
	where, err := openStaging(stagingPath)
	if err != nil {
		return err
	}
	defer where.Close()
	content, _, err := m.limited(ctx, id)
	if err != nil {
		return err
	}
	defer content.Close()
	staged, err := m.isAt(id, stagingPath, flags.readOnly())
	if err != nil || staged {
		return err
	}
	return m.watch.Do("stage: bind", func() error { return bind(content, where, flags) })
}

// checkDirOptions refuses what no directory allows.
func checkDirOptions(o StageOptions) (mountFlags, error) {
	if o.Block {
		return mountFlags{}, fmt.Errorf("%w: a directory is no block device: use volumes of kind %q for that", ErrInvalid, Image)
	}
	if o.FSType != "" {
		return mountFlags{}, fmt.Errorf("%w: a directory has the file system of the data directory, and no other can be asked for, as %q was: ask for none", ErrInvalid, o.FSType)
	}
	flags, err := parseMountFlags(o.MountFlags, o.ReadOnly)
	if err != nil {
		return mountFlags{}, err
	}
	if len(flags.fileSystem) > 0 {
		return mountFlags{}, fmt.Errorf("%w: mount flag %d of %d is not one that a directory can have of its own: ask for ro, nosuid, nodev, noexec, nosymfollow, noatime, relatime, strictatime or nodiratime",
			ErrInvalid, flags.fileSystem[0].position, len(o.MountFlags))
	}
	return flags, nil
}

// Unstage unbinds the staging path. ErrNotFound for a volume that has neither a
// mount there nor a directory.
func (m *DirMounter) Unstage(ctx context.Context, id, stagingPath string) error {
	unmounted, err := unmountOwn(stagingPath, ownsDir(id), func() error {
		return m.watch.Do("unstage: unmount", func() error { return unmount(ctx, stagingPath) })
	})
	if err != nil || unmounted {
		return err
	}
	return m.known(id)
}

// Publish binds the staging path to the target path, a directory that is made here.
func (m *DirMounter) Publish(_ context.Context, id, stagingPath, targetPath string, o PublishOptions) error {
	if o.Block {
		return fmt.Errorf("%w: a directory is no block device: use volumes of kind %q for that", ErrInvalid, Image)
	}
	if err := m.exists(id); err != nil {
		return err
	}
	staged, err := m.find(id, stagingPath)
	if errors.Is(err, ErrNotFound) {
		return fmt.Errorf("%w: volume %q is not staged at %s: stage it first", ErrRefused, id, stagingPath)
	}
	if err != nil {
		return err
	}
	readOnly := o.ReadOnly || isReadOnly(staged)
	published, err := m.isAt(id, targetPath, readOnly)
	if err != nil || published {
		return err
	}
	return publishDir(m.watch, stagingPath, targetPath, readOnly)
}

// Unpublish unbinds the target path and removes the directory, but never what is in
// it. ErrNotFound for a volume that has neither a mount there nor a directory.
func (m *DirMounter) Unpublish(ctx context.Context, id, targetPath string) error {
	unmounted, err := unpublish(ctx, m.watch, targetPath, ownsDir(id))
	if err != nil || unmounted {
		return err
	}
	return m.known(id)
}

// Expand gives the volume the limit of the size that it has by now.
func (m *DirMounter) Expand(ctx context.Context, id, volumePath string) (int64, error) {
	if err := m.exists(id); err != nil {
		return 0, err
	}
	if _, err := m.find(id, volumePath); err != nil {
		return 0, err
	}
	content, bytes, err := m.limited(ctx, id)
	if err != nil {
		return 0, err
	}
	return bytes, content.Close()
}

// Usage tells what the file system says of the volume, which is about the volume
// alone where it is limited, and about all of the data directory elsewhere.
func (m *DirMounter) Usage(_ context.Context, id, volumePath string) (Usage, error) {
	if err := m.exists(id); err != nil {
		return Usage{}, err
	}
	if _, err := m.find(id, volumePath); err != nil {
		return Usage{}, err
	}
	return usageOf(volumePath)
}

// EmptyTrash removes what pods left in volumes that were deleted, and the
// controller, which is not root, could not remove. To be called now and then.
func (m *DirMounter) EmptyTrash(ctx context.Context) error {
	return m.dirs.emptyTrash(ctx, func(string) bool { return true })
}
