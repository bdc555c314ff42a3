// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// ClaimsPlugin needs GetPluginCapabilities to list the services.
func ClaimsPlugin(services ...csi.PluginCapability_Service_Type) []Need {
	return claimsEach("", services, (*Driver).ClaimsPlugin, "GetPluginCapabilities does not list %s")
}

// Expansion needs GetPluginCapabilities to list the ways of expansion.
func Expansion(ways ...csi.PluginCapability_VolumeExpansion_Type) []Need {
	return claimsEach("expansion-", ways, (*Driver).ClaimsExpansion, "GetPluginCapabilities does not list VolumeExpansion %s")
}

// NoExpansion needs GetPluginCapabilities not to list the way of expansion.
func NoExpansion(way csi.PluginCapability_VolumeExpansion_Type) []Need {
	return need("no-expansion-"+way.String(), suite.ByCapability, func(d *Driver) string {
		return unless(!d.ClaimsExpansion(way), "GetPluginCapabilities lists VolumeExpansion %s, and the case is about drivers without it", way)
	})
}

// Claims needs ControllerGetCapabilities to list the capabilities.
func Claims(capabilities ...csi.ControllerServiceCapability_RPC_Type) []Need {
	return claimsEach("", capabilities, (*Driver).Claims, "ControllerGetCapabilities does not list %s")
}

// GroupSnapshots needs a group controller that takes group snapshots.
func GroupSnapshots() []Need {
	const capability = csi.GroupControllerServiceCapability_RPC_CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT
	return Needs(ClaimsPlugin(csi.PluginCapability_Service_GROUP_CONTROLLER_SERVICE),
		claimsEach("", []csi.GroupControllerServiceCapability_RPC_Type{capability}, (*Driver).ClaimsGroups, "GroupControllerGetCapabilities does not list %s"))
}

// NodeClaims needs NodeGetCapabilities of each node to list the capabilities.
func NodeClaims(capabilities ...csi.NodeServiceCapability_RPC_Type) []Need {
	var needs []Need
	for _, wanted := range capabilities {
		needs = Needs(needs, need("node-"+wanted.String(), suite.ByCapability, func(d *Driver) string {
			i := slices.IndexFunc(d.Nodes, func(node *Node) bool { return !node.Claims(wanted) })
			if i < 0 {
				return ""
			}
			return fmt.Sprintf("NodeGetCapabilities of %s does not list %s", d.Nodes[i], wanted)
		}))
	}
	return needs
}

// claimsEach returns a need for each of the capabilities. lacks describes a capability that the driver does not
// claim.
func claimsEach[T fmt.Stringer](prefix string, capabilities []T, claims func(*Driver, T) bool, lacks string) []Need {
	var needs []Need
	for _, wanted := range capabilities {
		needs = Needs(needs, need(prefix+wanted.String(), suite.ByCapability, func(d *Driver) string {
			return unless(claims(d, wanted), lacks, wanted)
		}))
	}
	return needs
}
