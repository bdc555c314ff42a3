// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// controllersPerNode returns drivers with a controller on each node.
func controllersPerNode() map[string]mutation.Expectation {
	const profile = "driver: hostpath.topo.csi\nvolumeBytes: 16777216\nvolumes: [{accessibleFrom: 1}]\ncontrollerPerNode: true\n"
	return map[string]mutation.Expectation{
		"has a controller on each node, all of which say the last node of their volumes": mutation.ExpectWide(mutation.Driver{PerNode: []string{"a", "b"}, Profile: profile, Preflight: true,
			Fault: saysOfVolumes(topology.NodeKey, "b").Over(mutation.Lacking(mutation.Attaching...))},
			mutation.Fails("T-EQ-1", "TR-04"), mutation.Skips("T-LT-1", suite.ByProfile)),
	}
}
