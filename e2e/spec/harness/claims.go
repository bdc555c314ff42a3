// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// claims holds what a driver reports about itself and its nodes, in the order of the endpoints. It is read once in a run:
// cases about GetPluginCapabilities and NodeGetInfo check that later answers are the same. Capabilities that this version of
// the specification does not know are ignored.
type claims struct {
	plugin     map[csi.PluginCapability_Service_Type]bool
	expansion  map[csi.PluginCapability_VolumeExpansion_Type]bool
	controller map[csi.ControllerServiceCapability_RPC_Type]bool
	groups     map[csi.GroupControllerServiceCapability_RPC_Type]bool
	nodes      []nodeClaims
	// inexact explains why capacity is not exact, although the profile says so; empty if it may be.
	inexact string
	// learnt holds the segments that volumes are accessible from, if neither nodes nor the profile name any.
	learnt model.Set
}

type nodeClaims struct {
	// unknown reports that NodeGetInfo is UNIMPLEMENTED, as it may be for a driver that attaches nothing (NI-01).
	unknown      bool
	id           string
	maxVolumes   int64
	segment      model.Segment
	capabilities map[csi.NodeServiceCapability_RPC_Type]bool
}
