// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// VolumeFor is a request for a volume of the case's size that the node reaches: in the node's segment, where volumes are
// not accessible from everywhere.
func (d *Driver) VolumeFor(node *Node) model.Request {
	if !d.segments.Contains(node.Segment) {
		return d.Volume(1)
	}
	if !d.Makes(1, node.Segment) {
		suite.Skip(suite.ByProfile, "the profile says that there are no volumes in %s, where %s is", node.Segment, node)
	}
	return d.Volume(1).Within(node.Segment)
}

// For is the node, or another one where the volume is not accessible from it: where a volume is that was created in the
// wrong place is for the cases on placement to judge. Without any such node the case is skipped.
func (n *Node) For(volume *csi.Volume) *Node {
	if n.MayReach(volume) {
		return n
	}
	for _, other := range n.driver.Nodes {
		if other.MayReach(volume) {
			return other
		}
	}
	suite.Skip(suite.ByEnvironment, "volume %s is accessible from %s, and no node endpoint reaches it", volume.GetVolumeId(), Segments(volume.GetAccessibleTopology()))
	return nil
}

// MayReach reports whether nothing says that the volume is not accessible from the node, which may report no
// topology.
func (n *Node) MayReach(volume *csi.Volume) bool {
	reaches := len(n.Segment) == 0 || len(volume.GetAccessibleTopology()) == 0
	for _, term := range volume.GetAccessibleTopology() {
		reaches = reaches || n.Segment.Matches(term.GetSegments())
	}
	return reaches
}
