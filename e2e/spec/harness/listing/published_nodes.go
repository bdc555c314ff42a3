// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// PublishedNodes returns the node_ids of the nodes that the volume is published to, as reported now by each of the calls
// ControllerGetVolume and ListVolumes that the driver claims, by the call's name. A call that fails is left out, and so is a
// list without the volume. Without LIST_VOLUMES_PUBLISHED_NODES, the result is empty.
func PublishedNodes(ctx context.Context, d *harness.Driver, volumeID string) map[string][]string {
	said := map[string][]string{}
	if !d.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES) {
		return said
	}
	if d.Claims(csi.ControllerServiceCapability_RPC_GET_VOLUME) {
		got, err := d.Controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: volumeID})
		if err == nil {
			said["ControllerGetVolume"] = got.GetStatus().GetPublishedNodeIds()
		}
	}
	if d.ListsVolumes() {
		var nodes []string
		listed := false
		err := d.Pages.Each(ctx, "ListVolumes", func(ctx context.Context, token string) (next string, err error) {
			response, err := d.Controller.ListVolumes(ctx, &csi.ListVolumesRequest{StartingToken: token})
			for _, entry := range response.GetEntries() {
				if entry.GetVolume().GetVolumeId() == volumeID {
					nodes, listed = entry.GetStatus().GetPublishedNodeIds(), true
				}
			}
			return response.GetNextToken(), err
		})
		if err == nil && listed {
			said["ListVolumes"] = nodes
		}
	}
	return said
}
