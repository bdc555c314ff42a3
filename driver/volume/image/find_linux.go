// SPDX-License-Identifier: Apache-2.0

package image

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/moby/sys/mountinfo"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/mount"
)

// found is a volume at a path.
type found struct {
	mount  *mountinfo.Info
	device *os.File
	// block is true if the device itself is at the path, rather than its file system.
	block    bool
	readOnly bool
}

// Close closes the device.
func (f *found) Close() error { return f.device.Close() }

// String describes the volume for error messages.
func (f *found) String() string { return describe(f.block, f.mount.FSType, f.readOnly) }

// find returns the volume at the path, which the caller closes; volume.ErrNotFound if it is not there. A block volume is
// also found by its staging path.
func (m *Mounter) find(id, path string) (*found, error) {
	image, err := m.images.stat(id)
	if err != nil {
		return nil, err
	}
	mounted, err := mount.At(path)
	if err == nil && mounted == nil {
		mounted, err = mount.At(devicePath(path))
	}
	if err != nil {
		return nil, err
	}
	if mounted == nil {
		return nil, fmt.Errorf("%w: volume %q is not at %s, nothing is mounted there", volume.ErrNotFound, id, path)
	}
	name, block, is := loopOf(mounted)
	if !is {
		return nil, fmt.Errorf("%w: volume %q is not at %s, but %s (%s) is", volume.ErrNotFound, id, path, mounted.Source, mounted.FSType)
	}
	device, err := openDevice(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	ours, err := isAttachedTo(device, image)
	if err != nil {
		return nil, errors.Join(err, device.Close())
	}
	if !ours {
		return nil, errors.Join(fmt.Errorf("%w: volume %q is not at %s, but another image on %s is", volume.ErrNotFound, id, path, device.Name()), device.Close())
	}
	readOnly := mount.IsReadOnly(mounted)
	if block {
		if readOnly, err = isReadOnlyDevice(device); err != nil {
			return nil, errors.Join(err, device.Close())
		}
	}
	return &found{mount: mounted, device: device, block: block, readOnly: readOnly}, nil
}

// isReadOnlyDevice reads from sysfs whether the block device is read-only.
func isReadOnlyDevice(device *os.File) (bool, error) {
	text, err := os.ReadFile(filepath.Join("/sys/block", filepath.Base(device.Name()), "ro"))
	if err != nil {
		return false, fmt.Errorf("asking whether %s is read-only: %w", device.Name(), err)
	}
	return strings.TrimSpace(string(text)) != "0", nil
}
