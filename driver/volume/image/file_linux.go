// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
)

// Size implements volume.Provisioner.
func (i *Provisioner) Size(_ context.Context, id string) (int64, error) {
	info, err := i.stat(id)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (i *Provisioner) stat(id string) (fs.FileInfo, error) {
	name, err := imageName(id)
	if err != nil {
		return nil, err
	}
	dir, err := i.data.Dir(datadir.Volumes)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	info, err := datadir.StatRegular(dir, name)
	if err != nil {
		return nil, missingImage(dir, name, err)
	}
	return info, nil
}

// open opens the image of a volume; the caller closes it.
func (i *Provisioner) open(id string, readOnly bool) (*os.File, error) {
	if readOnly {
		return i.openIn(datadir.Volumes, id, os.O_RDONLY)
	}
	return i.openIn(datadir.Volumes, id, os.O_RDWR)
}

func (i *Provisioner) openIn(where, id string, flags int) (*os.File, error) {
	name, err := imageName(id)
	if err != nil {
		return nil, err
	}
	dir, err := i.data.Dir(where)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	file, err := datadir.OpenRegular(dir, name, flags)
	if err != nil {
		return nil, missingImage(dir, name, err)
	}
	return file, nil
}

func missingImage(dir *os.Root, name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: there is no image %s in %s: was it deleted, or is the data directory not shared?", volume.ErrNotFound, name, dir.Name())
	}
	return err
}

// imageName returns the name of the image of a volume or snapshot; volume.ErrNotFound for an id that no image can have. A
// valid id is always a single element of a path.
func imageName(id string) (string, error) {
	if kind, known := volume.KindOf(id); !known || kind != volume.Image {
		return "", fmt.Errorf("%w: no image is called %q", volume.ErrNotFound, id)
	}
	return id + ".img", nil
}
