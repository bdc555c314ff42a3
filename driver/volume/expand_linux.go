package volume

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/sys/unix"
)

// Expand lets the loop device and the file system on it grow to the size of the
// image, while mounted. ErrRefused where the file system cannot grow in use.
func (m *LoopMounter) Expand(_ context.Context, id, volumePath string) (int64, error) {
	mounted, device, err := m.volumeAt(id, volumePath)
	if err != nil {
		return 0, err
	}
	defer device.Close()
	size, err := m.images.Size(id)
	if err != nil {
		return 0, err
	}
	if err := unix.IoctlSetInt(int(device.Fd()), unix.LOOP_SET_CAPACITY, 0); err != nil {
		return 0, fmt.Errorf("letting %s grow to the %d bytes of the image of volume %q: %w", device.Name(), size, id, err)
	}
	if _, err := m.resize.Resize(device.Name(), volumePath); err != nil {
		if refusedGrowth(err) {
			return 0, fmt.Errorf("%w: the host does not let %s grow while mounted (ext4 needs CAP_SYS_RESOURCE for it): use xfs, or such a host: %w", ErrRefused, mounted.FSType, err)
		}
		return 0, fmt.Errorf("growing the %s of volume %q to %d bytes: %w", mounted.FSType, id, size, err)
	}
	return size, nil
}

// refusedGrowth recognises what resize2fs and xfs_growfs print when the kernel
// answers EPERM or the file system is mounted read-only.
func refusedGrowth(err error) bool {
	text := strings.ToLower(err.Error())
	return strings.Contains(text, "permission denied to resize") ||
		strings.Contains(text, "operation not permitted") ||
		strings.Contains(text, "read-only file system")
}
