package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// ListedVolume is the volume as ListVolumes has it, on whichever page; nil when it is on none.
func (d *Driver) ListedVolume(ctx context.Context, id string) *csi.Volume {
	var found *csi.Volume
	err := eachPage("ListVolumes", func(token string) (next string, err error) {
		response, err := d.Controller.ListVolumes(ctx, &csi.ListVolumesRequest{StartingToken: token})
		for _, entry := range response.GetEntries() {
			if entry.GetVolume().GetVolumeId() == id {
				found = entry.GetVolume()
			}
		}
		return response.GetNextToken(), err
	})
	if err != nil {
		verdict.CouldNotTell("the volumes, which the case needs to know, could not be listed: %v", err)
	}
	return found
}
