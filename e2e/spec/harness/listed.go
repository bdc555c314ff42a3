// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// ListedVolume is the volume as ListVolumes has it, on whichever page; nil when it is on none.
func (d *Driver) ListedVolume(ctx context.Context, id string) *csi.Volume {
	volumes, err := d.ListVolumes(ctx)
	if err != nil {
		suite.CouldNotTell("the volumes, which the case needs to know, could not be listed: %v", err)
	}
	for _, volume := range volumes {
		if volume.GetVolumeId() == id {
			return volume
		}
	}
	return nil
}
