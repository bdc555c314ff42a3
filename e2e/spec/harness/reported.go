// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// Reported is the volume as each call shows it now that the driver claims for that: ControllerGetVolume and ListVolumes,
// by their names. A list without it has nil.
func (d *Driver) Reported(ctx context.Context, volumeID string) map[string]*csi.Volume {
	reported := map[string]*csi.Volume{}
	if d.Claims(csi.ControllerServiceCapability_RPC_GET_VOLUME) {
		reported["ControllerGetVolume"] = Need(d.Controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: volumeID})).GetVolume()
	}
	if d.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES) {
		reported["ListVolumes"] = d.ListedVolume(ctx, volumeID)
	}
	return reported
}
