// SPDX-License-Identifier: Apache-2.0

package publication

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Reaching returns the nodes from which a volume with that accessible_topology is accessible, all of them if it has
// none, and the nodes from which it is not. A node that reports no topology is in neither list if the volume has one,
// because nothing says whether it reaches the volume (NI-16).
func Reaching(d *harness.Driver, topology []*csi.Topology) (reaching, others []*harness.Node) {
	for _, node := range d.Nodes {
		reaches := len(topology) == 0
		for _, term := range topology {
			reaches = reaches || node.Segment.Matches(term.GetSegments())
		}
		switch {
		case reaches:
			reaching = append(reaching, node)
		case len(node.Segment) > 0:
			others = append(others, node)
		}
	}
	return reaching, others
}

// For returns the node, or another one if the volume is not accessible from it: cases about placement judge a volume that
// was created in the wrong place. It skips the case if there is no such node.
func For(n *harness.Node, volume *csi.Volume) *harness.Node {
	if MayReach(n, volume) {
		return n
	}
	for _, other := range n.Driver.Nodes {
		if MayReach(other, volume) {
			return other
		}
	}
	suite.Skip(suite.ByEnvironment, "volume %s is accessible from %s, and no node endpoint reaches it", volume.GetVolumeId(), messages.Segments(volume.GetAccessibleTopology()))
	return nil
}

// MayReach reports whether the volume may be accessible from the node. If no node reports a topology, any may be the right
// one. If others do, a node without topology reaches only volumes without topological constraints (NI-16).
func MayReach(n *harness.Node, volume *csi.Volume) bool {
	placed := func(n *harness.Node) bool { return len(n.Segment) > 0 }
	reaches := !slices.ContainsFunc(n.Driver.Nodes, placed) || len(volume.GetAccessibleTopology()) == 0
	for _, term := range volume.GetAccessibleTopology() {
		reaches = reaches || n.Segment.Matches(term.GetSegments())
	}
	return reaches
}
