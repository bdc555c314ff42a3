// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/csi-topo/csi-topo/driver/durable"
)

// Images keeps each volume as a sparse file "<data>/volumes/<id>.img", and each
// snapshot as "<data>/snapshots/<id>.img". The data directory is the same on every
// node, so that the controller makes the file that a node later attaches. An image
// without a file system gets one when it is first staged.
type Images struct {
	data data
}

var _ Provisioner = (*Images)(nil)

// OpenImages is for the controller: it makes the data directory and the
// directories of images in it where they are missing.
func OpenImages(dataDir string, watch durable.Watch) (*Images, error) {
	images := ImagesAt(dataDir, watch)
	if err := images.data.make(volumesDir, snapshotsDir); err != nil {
		return nil, fmt.Errorf("opening the directories of images: %w", err)
	}
	return images, nil
}

// ImagesAt is for a node: it makes nothing, and opens nothing before it is used.
func ImagesAt(dataDir string, watch durable.Watch) *Images {
	return &Images{data: data{path: dataDir, watch: watch}}
}

// Create implements Provisioner. An image gets its name only when it is whole.
func (i *Images) Create(ctx context.Context, id string, size Size, from Origin) error {
	name, err := imageName(id)
	if err != nil {
		return err
	}
	dir, err := i.data.dir(volumesDir)
	if err != nil {
		return err
	}
	defer dir.Close()
	info, err := statRegular(dir, name)
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
		return fmt.Errorf("%w: the volume is to have %d bytes, and what it is to be a copy of has %d: ask for as many", ErrInvalid, size.Bytes, source.size())
	}
	if err := i.write(ctx, dir, name, size, source); err != nil {
		return fmt.Errorf("creating image %s of %d bytes: %w", name, size.Bytes, err)
	}
	return nil
}

// keep answers a Create of an image that is there.
func (i *Images) keep(dir *os.Root, name string, info fs.FileInfo, size Size) error {
	if info.Size() < size.Bytes {
		return fmt.Errorf("%w: image %s has %d bytes and %d are wanted: grow it instead", ErrIncompatible, name, info.Size(), size.Bytes)
	}
	if size.Allocated && !isAllocated(info) {
		return fmt.Errorf("%w: image %s has not all of its blocks, as is wanted: resize it instead", ErrIncompatible, name)
	}
	// The call that made it may have ended before its name was on disk.
	return i.data.sync(dir, "image: sync names")
}

// CreateSnapshot implements Provisioner.
func (i *Images) CreateSnapshot(ctx context.Context, id, volumeID string) error {
	name, err := imageName(id)
	if err != nil {
		return err
	}
	dir, err := i.data.dir(snapshotsDir)
	if err != nil {
		return err
	}
	defer dir.Close()
	_, err = statRegular(dir, name)
	if err == nil {
		return i.data.sync(dir, "image: sync names")
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("creating snapshot %s: %w", name, err)
	}
	source, err := i.openOrigin(Origin{VolumeID: volumeID})
	if err != nil {
		return err
	}
	if source == nil {
		return fmt.Errorf("%w: a snapshot needs a volume, and none was named", ErrNotFound)
	}
	defer source.Close()
	if err := i.write(ctx, dir, name, Size{Bytes: source.size()}, source); err != nil {
		return fmt.Errorf("creating snapshot %s of volume %q: %w", name, volumeID, err)
	}
	return nil
}

// Delete implements Provisioner. A node that still has the image attached keeps
// its data until it detaches it.
func (i *Images) Delete(_ context.Context, id string) error {
	return i.remove(volumesDir, id)
}

// DeleteSnapshot implements Provisioner.
func (i *Images) DeleteSnapshot(_ context.Context, id string) error {
	return i.remove(snapshotsDir, id)
}

func (i *Images) remove(where, id string) error {
	name, err := imageName(id)
	if err != nil {
		return nil // no image can have this id, so there is nothing to remove
	}
	dir, err := i.data.dir(where)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	// A call that was cut off leaves an image that has not got its name yet.
	if err := i.clear(dir, name); err != nil {
		return err
	}
	err = i.data.watch.Do("image: remove", func() error { return dir.Remove(name) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("deleting image %s: %w", name, err)
	}
	return i.data.sync(dir, "image: sync names")
}

// Resize implements Provisioner; the image may be in use.
func (i *Images) Resize(_ context.Context, id string, size Size) error {
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
