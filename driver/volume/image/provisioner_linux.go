// SPDX-License-Identifier: Apache-2.0

package image

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

// Provisioner keeps each volume as a sparse file "<data>/volumes/<id>.img", and each snapshot as
// "<data>/snapshots/<id>.img". The data directory is the same on every node: a node attaches the file that the controller
// made. An image without a file system gets one when it is first staged.
type Provisioner struct {
	data datadir.Directory
}

var _ volume.Provisioner = (*Provisioner)(nil)

// Open opens the data directory for the controller: it makes the directory, and the directories in it, if they are
// missing.
func Open(dataDir string, watch durable.Watch) (*Provisioner, error) {
	images := at(dataDir, watch)
	if err := images.data.Make(datadir.Volumes, datadir.Snapshots); err != nil {
		return nil, fmt.Errorf("opening the directories of images: %w", err)
	}
	return images, nil
}

// at returns the Provisioner for a node, which makes no directories, and opens none before it is used.
func at(dataDir string, watch durable.Watch) *Provisioner {
	return &Provisioner{data: datadir.Directory{Path: dataDir, Watch: watch}}
}

// Create implements volume.Provisioner. An image gets its name only when it is complete.
func (i *Provisioner) Create(ctx context.Context, id string, size volume.Size, from volume.Origin) error {
	name, err := imageName(id)
	if err != nil {
		return err
	}
	dir, err := i.data.Dir(datadir.Volumes)
	if err != nil {
		return err
	}
	defer dir.Close()
	info, err := datadir.StatRegular(dir, name)
	if err == nil {
		return i.keep(dir, name, info, size)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("creating image %s: %w", name, err)
	}
	source, err := i.openOrigin(from)
	if err != nil {
		return err
	}
	defer source.Close()
	if source != nil && source.size() > size.Bytes {
		return fmt.Errorf("%w: the volume should have %d bytes, but its source has %d: request as many", volume.ErrInvalid, size.Bytes, source.size())
	}
	if err := i.write(ctx, dir, name, size, source); err != nil {
		return fmt.Errorf("creating image %s of %d bytes: %w", name, size.Bytes, err)
	}
	return nil
}

// keep handles Create for an image that exists.
func (i *Provisioner) keep(dir *os.Root, name string, info fs.FileInfo, size volume.Size) error {
	if info.Size() < size.Bytes {
		return fmt.Errorf("%w: image %s has %d bytes and %d are wanted: grow it instead", volume.ErrIncompatible, name, info.Size(), size.Bytes)
	}
	if size.Allocated && !isAllocated(info) {
		return fmt.Errorf("%w: image %s does not have all of its blocks allocated, as requested: resize it instead", volume.ErrIncompatible, name)
	}
	// The call that made the image may have ended before the name was on disk.
	return i.data.Sync(dir, "image: sync names")
}

// CreateSnapshot implements volume.Provisioner.
func (i *Provisioner) CreateSnapshot(ctx context.Context, id, volumeID string) error {
	name, err := imageName(id)
	if err != nil {
		return err
	}
	dir, err := i.data.Dir(datadir.Snapshots)
	if err != nil {
		return err
	}
	defer dir.Close()
	_, err = datadir.StatRegular(dir, name)
	if err == nil {
		return i.data.Sync(dir, "image: sync names")
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("creating snapshot %s: %w", name, err)
	}
	source, err := i.openOrigin(volume.Origin{VolumeID: volumeID})
	if err != nil {
		return err
	}
	if source == nil {
		return fmt.Errorf("%w: a snapshot needs a volume, and none was named", volume.ErrNotFound)
	}
	defer source.Close()
	if err := i.write(ctx, dir, name, volume.Size{Bytes: source.size()}, source); err != nil {
		return fmt.Errorf("creating snapshot %s of volume %q: %w", name, volumeID, err)
	}
	return nil
}

// Delete implements volume.Provisioner. A node that still has the image attached keeps
// its data until it detaches it.
func (i *Provisioner) Delete(_ context.Context, id string) error {
	return i.remove(datadir.Volumes, id)
}

// DeleteSnapshot implements volume.Provisioner.
func (i *Provisioner) DeleteSnapshot(_ context.Context, id string) error {
	return i.remove(datadir.Snapshots, id)
}

func (i *Provisioner) remove(where, id string) error {
	name, err := imageName(id)
	if err != nil {
		return nil // no image can have this id, so nothing has to be removed
	}
	dir, err := i.data.Dir(where)
	if errors.Is(err, volume.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	// An interrupted call leaves an image under its unfinished name.
	if err := i.clear(dir, name); err != nil {
		return err
	}
	err = i.data.Watch.Do("image: remove", func() error { return dir.Remove(name) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("deleting image %s: %w", name, err)
	}
	return i.data.Sync(dir, "image: sync names")
}

// Resize implements volume.Provisioner; the image may be in use.
func (i *Provisioner) Resize(_ context.Context, id string, size volume.Size) error {
	file, err := i.open(id, false)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := i.enlarge(file, size); err != nil {
		return fmt.Errorf("growing image %s to %d bytes: %w", file.Name(), size.Bytes, err)
	}
	return nil
}
