// SPDX-License-Identifier: Apache-2.0

package dir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/csi-topo/csi-topo/driver/durable"
	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
)

// Provisioner keeps each volume as a directory "<data>/volumes/<id>.dir", and each
// snapshot as "<data>/snapshots/<id>.dir". In it are
//
//	data/   what pods see, as they left it
//	bytes   its size, which is how a node knows it
//
// Several nodes may use a volume at once, and have to coordinate their writes. A copy of a published volume does not show
// one moment: the caller has to prevent such copies.
type Provisioner struct {
	data datadir.Directory
}

const (
	contentDir = "data"
	sizeFile   = "bytes"
)

var _ volume.Provisioner = (*Provisioner)(nil)

// Open opens the data directory for the controller: it makes the directory, and the directories in it, if they are
// missing.
func Open(dataDir string, watch durable.Watch) (*Provisioner, error) {
	dirs := at(dataDir, watch)
	if err := dirs.data.Make(datadir.Volumes, datadir.Snapshots, datadir.Trash); err != nil {
		return nil, fmt.Errorf("opening the directories of volumes: %w", err)
	}
	return dirs, nil
}

// at returns the Provisioner for a node, which makes no directories, and opens none before it is used.
func at(dataDir string, watch durable.Watch) *Provisioner {
	return &Provisioner{data: datadir.Directory{Path: dataDir, Watch: watch}}
}

// Create implements volume.Provisioner. A directory gets its name only when it is complete.
func (d *Provisioner) Create(ctx context.Context, id string, size volume.Size, from volume.Origin) error {
	name, err := dirName(id)
	if err != nil {
		return err
	}
	if err := refuseAllocated(size); err != nil {
		return err
	}
	volumes, err := d.data.Dir(datadir.Volumes)
	if err != nil {
		return err
	}
	defer volumes.Close()
	present, err := d.sizeIn(volumes, name)
	if err == nil && present < size.Bytes {
		return fmt.Errorf("%w: directory %s is for %d bytes and %d are wanted: grow it instead", volume.ErrIncompatible, name, present, size.Bytes)
	}
	if err == nil {
		// The call that made the directory may have ended before the name was on disk.
		return d.data.Sync(volumes, "dir: sync names")
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("creating directory %s: %w", name, err)
	}
	source, err := d.openOrigin(from)
	if err != nil {
		return err
	}
	defer source.Close()
	if source != nil && source.bytes > size.Bytes {
		return fmt.Errorf("%w: the volume should have %d bytes, but its source has %d: request as many", volume.ErrInvalid, size.Bytes, source.bytes)
	}
	if err := d.write(ctx, volumes, name, size.Bytes, source); err != nil {
		return fmt.Errorf("creating directory %s for %d bytes: %w", name, size.Bytes, err)
	}
	return nil
}

// CreateSnapshot implements volume.Provisioner.
func (d *Provisioner) CreateSnapshot(ctx context.Context, id, volumeID string) error {
	name, err := dirName(id)
	if err != nil {
		return err
	}
	snapshots, err := d.data.Dir(datadir.Snapshots)
	if err != nil {
		return err
	}
	defer snapshots.Close()
	_, err = d.sizeIn(snapshots, name)
	if err == nil {
		return d.data.Sync(snapshots, "dir: sync names")
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("creating snapshot %s: %w", name, err)
	}
	source, err := d.openSource(datadir.Volumes, volumeID)
	if err != nil {
		return err
	}
	defer source.Close()
	if err := d.write(ctx, snapshots, name, source.bytes, source); err != nil {
		return fmt.Errorf("creating snapshot %s of volume %q: %w", name, volumeID, err)
	}
	return nil
}

// Ranges implements volume.Provisioner: a directory has no blocks.
func (d *Provisioner) Ranges(_ context.Context, id, _ string, _ int64, _ func(volume.Range) error) error {
	return fmt.Errorf("%w: %q is a directory, which has no blocks", volume.ErrInvalid, id)
}

// Resize implements volume.Provisioner; nodes see the size when they stage or expand the volume.
func (d *Provisioner) Resize(_ context.Context, id string, size volume.Size) error {
	if err := refuseAllocated(size); err != nil {
		return err
	}
	dir, err := d.open(datadir.Volumes, id)
	if err != nil {
		return err
	}
	defer dir.Close()
	present, err := readSize(dir)
	if err != nil {
		return fmt.Errorf("growing volume %q: %w", id, err)
	}
	if present < size.Bytes {
		if err := d.replaceSize(dir, size.Bytes); err != nil {
			return fmt.Errorf("growing volume %q from %d to %d bytes: %w", id, present, size.Bytes, err)
		}
	}
	return d.data.Sync(dir, "dir: sync names")
}

// Size implements volume.Provisioner.
func (d *Provisioner) Size(_ context.Context, id string) (int64, error) {
	dir, err := d.open(datadir.Volumes, id)
	if err != nil {
		return 0, err
	}
	defer dir.Close()
	return readSize(dir)
}

// Delete implements volume.Provisioner. Files of pods that this process may not remove stay in the trash, for
// Mounter.EmptyTrash.
func (d *Provisioner) Delete(ctx context.Context, id string) error {
	return d.discard(ctx, datadir.Volumes, id)
}

// DeleteSnapshot implements volume.Provisioner, and works like Delete.
func (d *Provisioner) DeleteSnapshot(ctx context.Context, id string) error {
	return d.discard(ctx, datadir.Snapshots, id)
}

// open opens the directory of a volume or snapshot; the caller closes it.
func (d *Provisioner) open(where, id string) (*os.Root, error) {
	name, err := dirName(id)
	if err != nil {
		return nil, err
	}
	parent, err := d.data.Dir(where)
	if err != nil {
		return nil, err
	}
	defer parent.Close()
	dir, err := datadir.OpenDir(parent, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: there is no directory %s in %s: was it deleted, or is the data directory not shared?", volume.ErrNotFound, name, parent.Name())
	}
	return dir, err
}

// openContent opens the directory that pods see of a volume; the caller closes it.
func (d *Provisioner) openContent(id string) (*os.File, error) {
	dir, err := d.open(datadir.Volumes, id)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	content, err := datadir.OpenDir(dir, contentDir)
	if err != nil {
		return nil, err
	}
	defer content.Close()
	return content.Open(".")
}

// sizeIn returns the size of the volume whose directory has that name.
func (d *Provisioner) sizeIn(parent *os.Root, name string) (int64, error) {
	dir, err := datadir.OpenDir(parent, name)
	if err != nil {
		return 0, err
	}
	defer dir.Close()
	return readSize(dir)
}

// dirName returns the name of the directory of a volume or snapshot; volume.ErrNotFound for an id that none can have. A
// valid id is always a single element of a path.
func dirName(id string) (string, error) {
	if kind, known := volume.KindOf(id); !known || kind != volume.Dir {
		return "", fmt.Errorf("%w: no directory is called %q", volume.ErrNotFound, id)
	}
	return id + ".dir", nil
}

func refuseAllocated(size volume.Size) error {
	if size.Allocated {
		return fmt.Errorf("%w: a directory cannot have its blocks allocated beforehand: use volumes of kind %q for that", volume.ErrInvalid, volume.Image)
	}
	return nil
}
