// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
	utilexec "k8s.io/utils/exec"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// Expand grows the loop device and the mounted file system on it to the size of the image. It returns volume.ErrRefused
// if the file system cannot grow in use.
func (m *Mounter) Expand(ctx context.Context, id, volumePath string) (int64, error) {
	found, err := m.find(id, volumePath)
	if err != nil {
		return 0, err
	}
	defer found.Close()
	size, err := m.images.Size(ctx, id)
	if err != nil {
		return 0, err
	}
	if err := m.watch.Do("expand: refit", func() error { return updateCapacity(found.device) }); err != nil {
		return 0, err
	}
	if found.block {
		return size, nil
	}
	if err := m.grow(found.device, volumePath); err != nil {
		return 0, fmt.Errorf("growing the %s of volume %q to %d bytes: %w", found.mount.FSType, id, size, err)
	}
	return size, nil
}

// grow grows a mounted file system to the size of its device.
func (m *Mounter) grow(device *os.File, path string) error {
	return m.watch.Do("expand: grow", func() error {
		_, err := m.resize.Resize(device.Name(), path)
		if err != nil && refusedGrowth(err) {
			return fmt.Errorf("%w: the host does not let the file system grow while mounted (ext4 needs CAP_SYS_RESOURCE for it, and it must not be mounted read-only): unstage the volume and stage it again to make it grow: %w", volume.ErrRefused, err)
		}
		return err
	})
}

// growUnmounted grows an unmounted ext4 to the size of its device. This needs no CAP_SYS_RESOURCE, but a check of the
// file system first.
func (m *Mounter) growUnmounted(device *os.File) error {
	err := m.watch.Do("stage: check ext4", func() error {
		output, err := m.run.Command("e2fsck", "-f", "-p", device.Name()).CombinedOutput()
		var exit utilexec.ExitError
		if errors.As(err, &exit) && exit.ExitStatus() <= 1 { // corrected, if anything
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: e2fsck cannot repair %s: %w: %s", volume.ErrRefused, device.Name(), err, output)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return m.watch.Do("stage: grow ext4", func() error {
		output, err := m.run.Command("resize2fs", device.Name()).CombinedOutput()
		if err != nil {
			return fmt.Errorf("growing the ext4 on %s: %w: %s", device.Name(), err, output)
		}
		return nil
	})
}

// deviceBytes returns the size of a block device in bytes.
func deviceBytes(device *os.File) (int64, error) {
	bytes, err := unix.Seek(int(device.Fd()), 0, io.SeekEnd)
	if err != nil {
		return 0, fmt.Errorf("asking %s for its size: %w", device.Name(), err)
	}
	return bytes, nil
}

// refusedGrowth recognizes the messages of resize2fs and xfs_growfs if the kernel returns EPERM or the file system is
// mounted read-only.
func refusedGrowth(err error) bool {
	text := strings.ToLower(err.Error())
	return strings.Contains(text, "permission denied to resize") ||
		strings.Contains(text, "operation not permitted") ||
		strings.Contains(text, "read-only file system")
}
