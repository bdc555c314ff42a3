// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/mount"
)

// deviceFile is the file in a staging path that has the device of a block volume.
const deviceFile = "device"

func devicePath(stagingPath string) string { return filepath.Join(stagingPath, deviceFile) }

// stageBlock attaches the image and bind-mounts the device on a file in the staging path. Nothing keeps the device open,
// so it is attached until it is detached explicitly; a call after an interrupted one finds it and continues with it.
func (m *Mounter) stageBlock(ctx context.Context, id string, staging *os.File, readOnly bool) error {
	file, err := mount.PlaceIn(staging, deviceFile)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := m.watch.Do("stage: make device file", func() error { return file.Make(true) }); err != nil {
		return err
	}
	where, err := file.File()
	if err != nil {
		return err
	}
	defer where.Close()
	device, err := m.ownDeviceAs(id, readOnly)
	if err == nil && device == nil {
		device, err = m.attach(ctx, id, readOnly, true)
	}
	if err != nil {
		return errors.Join(err, file.Remove())
	}
	defer device.Close()
	return m.watch.Do("stage: bind device", func() error { return mount.Bind(device, where, mount.Flags{}) })
}

// ownDeviceAs opens the device that an interrupted call left; nil if there is none. It returns volume.ErrRefused if the
// device is staged at another path.
func (m *Mounter) ownDeviceAs(id string, readOnly bool) (*os.File, error) {
	device, err := m.ownDevice(id)
	if err != nil || device == nil {
		return nil, err
	}
	bound, err := m.findBindMounts(id)
	if err != nil {
		return nil, errors.Join(err, device.Close())
	}
	if len(bound) > 0 {
		return nil, errors.Join(fmt.Errorf("%w: the device of volume %q is at %s already: unstage it there first", volume.ErrRefused, id, bound[0]), device.Close())
	}
	image, err := m.images.stat(id)
	if err != nil {
		return nil, errors.Join(err, device.Close())
	}
	same, err := isAttachedTo(device, image)
	if err != nil {
		return nil, errors.Join(err, device.Close())
	}
	is, err := isReadOnlyDevice(device)
	if err != nil {
		return nil, errors.Join(err, device.Close())
	}
	if same && is == readOnly {
		if err := updateCapacity(device); err != nil {
			return nil, errors.Join(err, device.Close())
		}
		return device, nil
	}
	return nil, errors.Join(m.watch.Do("loop: detach", func() error { return detach(device) }), device.Close())
}
