// SPDX-License-Identifier: Apache-2.0

package publication

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// ForTwo returns a request for a volume that is accessible from two nodes: both in one segment, or else in two segments
// if the driver has volumes that are accessible from both.
func ForTwo(d *harness.Driver) model.Request {
	for i, one := range d.Nodes {
		for _, other := range d.Nodes[i+1:] {
			if one.Segment.Equal(other.Segment) {
				return d.VolumeFor(one)
			}
		}
	}
	if len(d.Nodes) > 1 && d.Room.Makes(2, d.Nodes[0].Segment, d.Nodes[1].Segment) {
		return d.Volume(2).Within(d.Nodes[0].Segment, d.Nodes[1].Segment)
	}
	return d.VolumeFor(d.Nodes[0])
}

// TwoOf returns two nodes from which the volume is accessible. Without them the case is skipped.
func TwoOf(d *harness.Driver, volume *csi.Volume) (one, other *harness.Node) {
	reaching, _ := Reaching(d, volume.GetAccessibleTopology())
	if len(reaching) < 2 {
		suite.Skip(suite.ByEnvironment, "the case needs two nodes from which one volume is accessible, and volumes in %[3]s are accessible from %[2]d of the %[1]d given",
			len(d.Nodes), len(reaching), messages.Segments(volume.GetAccessibleTopology()))
	}
	return reaching[0], reaching[1]
}
