package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Reported is the volume as each call shows it now that the driver claims for that: ControllerGetVolume and ListVolumes,
// by their names. A list without it has nil.
func (d *Driver) Reported(ctx context.Context, volumeID string) map[string]*csi.Volume {
	reported := map[string]*csi.Volume{}
	if d.Claims(csi.ControllerServiceCapability_RPC_GET_VOLUME) {
		reported["ControllerGetVolume"] = Need(d.Controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: volumeID})).GetVolume()
	}
	if d.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES) {
		reported["ListVolumes"] = d.listedVolume(ctx, volumeID)
	}
	return reported
}

func (d *Driver) listedVolume(ctx context.Context, volumeID string) *csi.Volume {
	var found *csi.Volume
	err := eachPage("ListVolumes", func(token string) (next string, err error) {
		response, err := d.Controller.ListVolumes(ctx, &csi.ListVolumesRequest{StartingToken: token})
		for _, entry := range response.GetEntries() {
			if entry.GetVolume().GetVolumeId() == volumeID {
				found = entry.GetVolume()
			}
		}
		return response.GetNextToken(), err
	})
	if err != nil {
		verdict.CouldNotTell("the driver's volumes, which the case needs to know, could not be listed: %v", err)
	}
	return found
}
