package volume

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/moby/sys/mountinfo"
)

// deviceFile is the file in a staging path that has the device of a block volume.
const deviceFile = "device"

func devicePath(stagingPath string) string { return filepath.Join(stagingPath, deviceFile) }

// stageBlock attaches the image and binds the device to a file in the staging
// path. Nothing keeps the device open, so it stays until it is detached; a call
// that comes after one that was cut off finds it, and goes on with it.
func (m *LoopMounter) stageBlock(ctx context.Context, id string, staging *os.File, readOnly bool) error {
	file, err := placeIn(staging, deviceFile)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := m.watch.Do("stage: make device file", func() error { return file.make(true) }); err != nil {
		return err
	}
	where, err := file.file()
	if err != nil {
		return err
	}
	defer where.Close()
	device, err := m.ownDeviceAs(id, readOnly)
	if err == nil && device == nil {
		device, err = m.attach(ctx, id, readOnly, true)
	}
	if err != nil {
		return errors.Join(err, file.remove())
	}
	defer device.Close()
	return m.watch.Do("stage: bind device", func() error { return bind(device, where, mountFlags{}) })
}

// ownDeviceAs opens the device that a call that was cut off left; nil if there is
// none. One that is at another path, where it is staged, is ErrRefused.
func (m *LoopMounter) ownDeviceAs(id string, readOnly bool) (*os.File, error) {
	device, err := m.ownDevice(id)
	if err != nil || device == nil {
		return nil, err
	}
	bound, err := m.boundTo(id)
	if err != nil {
		return nil, errors.Join(err, device.Close())
	}
	if len(bound) > 0 {
		return nil, errors.Join(fmt.Errorf("%w: the device of volume %q is at %s already: unstage it there first", ErrRefused, id, bound[0]), device.Close())
	}
	image, err := m.images.stat(id)
	if err != nil {
		return nil, errors.Join(err, device.Close())
	}
	same, err := backs(device, image)
	if err != nil {
		return nil, errors.Join(err, device.Close())
	}
	is, err := isReadOnlyDevice(device)
	if err != nil {
		return nil, errors.Join(err, device.Close())
	}
	if same && is == readOnly {
		if err := refit(device); err != nil {
			return nil, errors.Join(err, device.Close())
		}
		return device, nil
	}
	return nil, errors.Join(m.watch.Do("loop: detach", func() error { return detach(device) }), device.Close())
}

// boundTo returns the paths that the device of the volume is bound to.
func (m *LoopMounter) boundTo(id string) ([]string, error) {
	mounts, err := mountinfo.GetMounts(func(found *mountinfo.Info) (skip, stop bool) {
		_, block, is := loopOf(found)
		return !is || !block, false
	})
	if err != nil {
		return nil, fmt.Errorf("reading the mount table: %w", err)
	}
	var paths []string
	for _, found := range mounts {
		label, _, err := labelAt(found)
		if err != nil {
			return nil, err
		}
		if label == m.label(id) {
			paths = append(paths, found.Mountpoint)
		}
	}
	return paths, nil
}

// unstageBlock takes the device of a block volume from the staging path and
// detaches it. ErrRefused as long as it is published: whoever has it would lose it.
func (m *LoopMounter) unstageBlock(ctx context.Context, id, stagingPath string) (released bool, err error) {
	path := devicePath(stagingPath)
	mounts, err := mountsAt(path)
	if err != nil {
		return false, err
	}
	last, err := lastOwn(mounts, m.owns(id))
	if err != nil {
		return false, err
	}
	bound, err := m.boundTo(id)
	if err != nil {
		return false, err
	}
	if last >= 0 {
		for _, at := range bound {
			if at != mounts[last].Mountpoint {
				return false, fmt.Errorf("%w: the device of volume %q is at %s too: unpublish it there first", ErrRefused, id, at)
			}
		}
	} else if len(bound) > 0 {
		return false, nil // it is staged, but elsewhere
	}
	if released, err = unmountOwn(path, m.owns(id), func() error {
		return m.watch.Do("unstage: unbind device", func() error { return unmount(ctx, path) })
	}); err != nil {
		return released, err
	}
	device, err := m.ownDevice(id)
	if err != nil {
		return released, err
	}
	if device != nil {
		released = true
		if err := errors.Join(m.watch.Do("loop: detach", func() error { return detach(device) }), device.Close()); err != nil {
			return released, err
		}
	}
	if left, err := mountedAt(path); err != nil || left != nil {
		return released, err // of something else
	}
	file, err := openPlace(path)
	if errors.Is(err, fs.ErrNotExist) {
		return released, nil
	}
	if err != nil {
		return released, err
	}
	defer file.Close()
	return released, m.watch.Do("unstage: remove device file", file.remove)
}
