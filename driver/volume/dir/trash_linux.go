// SPDX-License-Identifier: Apache-2.0

package dir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/moby/sys/mountinfo"
	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
)

// trashTries is the maximum number of remains of one volume in the trash.
const trashTries = 64

// discard moves a volume or snapshot away in one step, and then removes it as far as
// permissions allow.
func (d *Provisioner) discard(ctx context.Context, where, id string) error {
	name, err := dirName(id)
	if err != nil {
		return nil // no directory can have this id, so nothing has to be removed
	}
	parent, err := d.data.Dir(where)
	if errors.Is(err, volume.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer parent.Close()
	for _, name := range []string{datadir.Unfinished(name), name} {
		if err := d.toTrash(parent, name); err != nil {
			return fmt.Errorf("deleting directory %s: %w", name, err)
		}
	}
	return d.emptyTrashOf(ctx, name)
}

// clear removes the unfinished directory of an interrupted call.
func (d *Provisioner) clear(ctx context.Context, parent *os.Root, name string) error {
	if err := d.toTrash(parent, datadir.Unfinished(name)); err != nil {
		return fmt.Errorf("clearing what an interrupted call left of directory %s: %w", name, err)
	}
	return d.emptyTrashOf(ctx, name)
}

// emptyTrashOf removes the remains of one volume or snapshot from the trash.
func (d *Provisioner) emptyTrashOf(ctx context.Context, name string) error {
	return d.emptyTrash(ctx, func(trashed string) bool { return strings.HasPrefix(trashed, name) })
}

// toTrash moves a directory to the trash, under its own name and the first free number.
// It succeeds if the directory does not exist.
func (d *Provisioner) toTrash(parent *os.Root, name string) error {
	if _, err := parent.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	trash, err := d.data.Dir(datadir.Trash)
	if err != nil {
		return err
	}
	defer trash.Close()
	from, err := parent.Open(".")
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := trash.Open(".")
	if err != nil {
		return err
	}
	defer to.Close()
	err = d.data.Watch.Do("dir: to trash", func() error {
		trashed := strings.TrimPrefix(name, ".")
		for try := range trashTries {
			err := unix.Renameat2(int(from.Fd()), name, int(to.Fd()), fmt.Sprintf("%s.%d", trashed, try), unix.RENAME_NOREPLACE)
			if !errors.Is(err, unix.EEXIST) {
				return err
			}
		}
		return fmt.Errorf("the trash has %d remains of it already: let the node plugin empty it", trashTries)
	})
	if err != nil {
		return err
	}
	return d.data.Sync(parent, "dir: sync names")
}

// emptyTrash removes the matching entries of the trash, as far as permissions allow.
func (d *Provisioner) emptyTrash(ctx context.Context, matches func(name string) bool) error {
	trash, err := d.data.Dir(datadir.Trash)
	if errors.Is(err, volume.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer trash.Close()
	entries, err := fs.ReadDir(trash.FS(), ".")
	if err != nil {
		return fmt.Errorf("reading the trash: %w", err)
	}
	var failed error
	for _, entry := range entries {
		if err := ctx.Err(); err != nil {
			return errors.Join(failed, err)
		}
		if matches(entry.Name()) {
			failed = errors.Join(failed, d.removeTrashed(trash, entry.Name()))
		}
	}
	return failed
}

// removeTrashed removes one entry of the trash, unless it contains a mount or is mounted elsewhere: files below a mount
// are not the volume's, and a mounted directory is still in use.
func (d *Provisioner) removeTrashed(trash *os.Root, name string) error {
	used, err := mountOf(trash, name)
	if err != nil {
		return err
	}
	if used != nil {
		return fmt.Errorf("%w: %s/%s is mounted at %s, or has that mounted in it, and is kept: unmount it", volume.ErrRefused, trash.Name(), name, used.Mountpoint)
	}
	err = d.data.Watch.Do("trash: remove", func() error { return trash.RemoveAll(name) })
	if err != nil && !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("removing %s from the trash: %w", name, err)
	}
	return nil
}

// mountOf returns a mount at or below an entry of the trash, or a mount of a directory in it.
func mountOf(trash *os.Root, name string) (*mountinfo.Info, error) {
	path, err := filepath.EvalSymlinks(trash.Name())
	if err != nil {
		return nil, fmt.Errorf("resolving the path of the trash: %w", err)
	}
	path = filepath.Join(path, name)
	within := filepath.Join("/", datadir.Trash, name)
	mounts, err := mountinfo.GetMounts(func(m *mountinfo.Info) (skip, stop bool) {
		below := m.Mountpoint == path || strings.HasPrefix(m.Mountpoint, path+"/")
		from := strings.HasSuffix(m.Root, within) || strings.Contains(m.Root, within+"/")
		return !below && !from, below || from
	})
	if err != nil {
		return nil, fmt.Errorf("reading the mount table for %s: %w", path, err)
	}
	if len(mounts) == 0 {
		return nil, nil
	}
	return mounts[0], nil
}
