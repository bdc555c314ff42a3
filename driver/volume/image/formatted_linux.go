// SPDX-License-Identifier: Apache-2.0

package image

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// formattedMark is an extended attribute of images with a file system. It distinguishes an image whose superblock was
// lost from a new one: mkfs never runs over data.
const formattedMark = "user.csi-topo.formatted"

// markFormatted marks the image of a volume. If the data directory supports no extended
// attributes, images are not marked.
func (i *Provisioner) markFormatted(id string) error {
	file, err := i.open(id, false)
	if err != nil {
		return err
	}
	defer file.Close()
	return i.data.Watch.Do("image: mark formatted", func() error { return markFormatted(file) })
}

func markFormatted(file *os.File) error {
	if err := unix.Fsetxattr(int(file.Fd()), formattedMark, nil, 0); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("marking %s as having a file system: %w", file.Name(), err)
	}
	return file.Sync()
}

// formatted reports whether the image of a volume is marked.
func (i *Provisioner) formatted(id string) (bool, error) {
	file, err := i.open(id, true)
	if err != nil {
		return false, err
	}
	defer file.Close()
	return isFormatted(file)
}

func isFormatted(file *os.File) (bool, error) {
	_, err := unix.Fgetxattr(int(file.Fd()), formattedMark, nil)
	if errors.Is(err, unix.ENODATA) || errors.Is(err, errors.ErrUnsupported) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("looking whether %s had a file system: %w", file.Name(), err)
	}
	return true, nil
}
