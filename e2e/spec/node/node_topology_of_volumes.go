package node

import (
	"context"
	"fmt"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// accessible_topology says of a volume what it says of a node, so that a CO finds the nodes that a volume is accessible from:
// a key of a volume that nodes do not report finds none. Fewer keys than a node's are no contradiction.
func nodeTopologyOfVolumes(s *harness.Suite) {
	labels := verdict.Case("node_topology_of_volumes", "NI-18", "VOL-19", "CV-23")
	needs := harness.Needs{Segments: 1, Volumes: 1, Nodes: 1}
	s.Case("names by accessible_topology of a volume only keys that nodes report", labels, needs, func(ctx context.Context, under *harness.Driver) {
		var reported []string
		for _, node := range under.Nodes {
			reported = append(reported, keysOf(node.Segment)...)
		}

		volume := under.NeedVolume(ctx, under.Volume(1))

		for _, topology := range volume.GetAccessibleTopology() {
			gomega.Expect(reported).To(gomega.ContainElements(keysOf(topology.GetSegments())), fmt.Sprintf(
				"the volume is accessible from %s, which nodes are found by (VOL-19), and NodeGetInfo reports no such keys (NI-18)", harness.Segments(volume.GetAccessibleTopology())))
		}
	})
}
