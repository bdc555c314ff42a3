// SPDX-License-Identifier: Apache-2.0

package image

import (
	"errors"
	"fmt"
	"os"

	mountutils "k8s.io/mount-utils"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// unmounted limits SafeFormatAndMount to checking, making and repairing file systems; this package mounts them by calls
// that do not follow links.
type unmounted struct{ mountutils.Interface }

// MountSensitive implements mountutils.Interface.
func (unmounted) MountSensitive(string, string, string, []string, []string) error { return nil }

// formatOptions returns options that keep mkfs from discarding the blocks of an image: they may have been allocated on
// purpose, and otherwise there are none.
func formatOptions(fsType string) []string {
	if fsType == "xfs" {
		return []string{"-K"}
	}
	return []string{"-E", "nodiscard"}
}

// makeFileSystem makes a file system on a device that never had one, or repairs the existing one. It returns
// volume.ErrRefused if that is of another type, or beyond repair.
func (m *Mounter) makeFileSystem(id string, device *os.File, fsType string, readOnly bool) error {
	formatted, err := m.images.formatted(id)
	if err != nil {
		return err
	}
	if !formatted && !readOnly {
		if err := m.clearUnfinished(device); err != nil {
			return err
		}
	}
	found, err := m.format.GetDiskFormat(device.Name())
	switch {
	case err != nil:
		return fmt.Errorf("looking for a file system on %s: %w", device.Name(), err)
	case found == "" && formatted:
		return fmt.Errorf("%w: the file system that was in the image is no longer recognized: repair it or restore the volume from a snapshot", volume.ErrRefused)
	case found == "" && readOnly:
		return fmt.Errorf("%w: the image has no file system yet, and none is made when it is read-only: stage it writable first", volume.ErrRefused)
	case found != "" && found != fsType:
		return fmt.Errorf("%w: the image has %s, but %s is requested: request the one that it has, or use another volume", volume.ErrRefused, found, fsType)
	case found == "":
		if err := m.watch.Do("stage: make file system", func() error { return m.formatOrCheck(device, fsType) }); err != nil {
			return err
		}
	case !readOnly:
		if err := m.watch.Do("stage: check file system", func() error { return m.formatOrCheck(device, fsType) }); err != nil {
			return err
		}
	}
	if formatted || readOnly {
		return nil
	}
	return m.images.markFormatted(id)
}

func (m *Mounter) formatOrCheck(device *os.File, fsType string) error {
	err := m.format.FormatAndMountSensitiveWithFormatOptions(device.Name(), "", fsType, nil, nil, formatOptions(fsType))
	var failed mountutils.MountError
	if errors.As(err, &failed) && failed.Type == mountutils.HasFilesystemErrors {
		return fmt.Errorf("%w: %w", volume.ErrRefused, err)
	}
	return err
}

// clearUnfinished wipes the result of an interrupted mkfs.xfs, which marks its work as in progress until it is done, and
// which would be mistaken for a damaged file system.
func (m *Mounter) clearUnfinished(device *os.File) error {
	block, err := readSuperblock(device)
	if err != nil || !block.unfinished() {
		return err
	}
	return m.watch.Do("stage: clear file system", func() error {
		if _, err := device.WriteAt(make([]byte, superblockBytes), 0); err != nil {
			return fmt.Errorf("clearing what an interrupted mkfs left on %s: %w", device.Name(), err)
		}
		return device.Sync()
	})
}
