package harness

import "github.com/csi-topo/csi-topo/e2e/model"

// VolumeFor is a request for a volume of the case's size that the node reaches: in the node's segment, where volumes are
// not accessible from everywhere.
func (d *Driver) VolumeFor(node *Node) model.Request {
	if !d.segments.Contains(node.Segment) {
		return d.Volume(1)
	}
	return d.Volume(1).Within(node.Segment)
}
