// SPDX-License-Identifier: Apache-2.0

package publication

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Reaching are the nodes from which a volume of that accessible_topology is accessible, all of them if it has none; the
// others are the nodes from which it is not. Of a node that reports no topology, nothing says whether it reaches a volume that
// has one (NI-16): it is neither.
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

// For is the node, or another one where the volume is not accessible from it: where a volume is that was created in the
// wrong place is for the cases on placement to judge. Without any such node the case is skipped.
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

// MayReach reports whether nothing says that the volume is not accessible from the node. Where no node reports a topology, any
// may be the right one; beside nodes that do, one without reaches volumes without topological constraints only (NI-16).
func MayReach(n *harness.Node, volume *csi.Volume) bool {
	placed := func(n *harness.Node) bool { return len(n.Segment) > 0 }
	reaches := !slices.ContainsFunc(n.Driver.Nodes, placed) || len(volume.GetAccessibleTopology()) == 0
	for _, term := range volume.GetAccessibleTopology() {
		reaches = reaches || n.Segment.Matches(term.GetSegments())
	}
	return reaches
}
