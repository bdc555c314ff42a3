// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// claim makes a driver that claims these ways of expansion.
func claim(ways ...csi.PluginCapability_VolumeExpansion_Type) mutation.Fault {
	return mutation.Ending(func(_ *csi.GetPluginCapabilitiesRequest, response *csi.GetPluginCapabilitiesResponse, err error) (*csi.GetPluginCapabilitiesResponse, error) {
		if err != nil {
			return nil, err
		}
		var kept []*csi.PluginCapability
		for _, capability := range response.GetCapabilities() {
			if capability.GetVolumeExpansion() == nil {
				kept = append(kept, capability)
			}
		}
		for _, way := range ways {
			kept = append(kept, &csi.PluginCapability{Type: &csi.PluginCapability_VolumeExpansion_{VolumeExpansion: &csi.PluginCapability_VolumeExpansion{Type: way}}})
		}
		return &csi.GetPluginCapabilitiesResponse{Capabilities: kept}, nil
	})
}
