// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// claim makes a driver that claims these ways of expansion.
func claim(ways ...csi.PluginCapability_VolumeExpansion_Type) mutation.Fault {
	return mutation.Answering(func(_ *csi.GetPluginCapabilitiesRequest, response *csi.GetPluginCapabilitiesResponse) {
		response.Capabilities = slices.DeleteFunc(response.Capabilities, func(c *csi.PluginCapability) bool { return c.GetVolumeExpansion() != nil })
		for _, way := range ways {
			response.Capabilities = append(response.Capabilities, &csi.PluginCapability{
				Type: &csi.PluginCapability_VolumeExpansion_{VolumeExpansion: &csi.PluginCapability_VolumeExpansion{Type: way}},
			})
		}
	})
}
