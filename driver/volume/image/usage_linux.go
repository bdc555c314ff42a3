// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/mount"
)

// Usage returns the usage of the volume's file system, or the size of its device.
func (m *Mounter) Usage(_ context.Context, id, volumePath string) (volume.Usage, error) {
	found, err := m.find(id, volumePath)
	if err != nil {
		return volume.Usage{}, err
	}
	defer found.Close()
	if !found.block {
		return mount.UsageAt(volumePath)
	}
	bytes, err := deviceBytes(found.device)
	return volume.Usage{Block: true, TotalBytes: bytes}, err
}
