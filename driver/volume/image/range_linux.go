// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"os"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
)

// Ranges implements volume.Provisioner. A snapshot never changes, and can be read to its end even if it is deleted
// meanwhile.
func (i *Provisioner) Ranges(ctx context.Context, id, baseID string, from int64, found func(volume.Range) error) error {
	file, err := i.openIn(datadir.Snapshots, id, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer file.Close()
	if baseID == "" {
		return volume.RangesOf(ctx, file, nil, from, found)
	}
	base, err := i.openIn(datadir.Snapshots, baseID, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer base.Close()
	return volume.RangesOf(ctx, file, base, from, found)
}
