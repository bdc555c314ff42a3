package growth

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// capacity_range is optional. Without it the driver finds out by itself how large the volume can become.
func nodeGrowNoRange(s *harness.Suite) {
	labels := verdict.Case("node_grow_no_range", "NE-14", "NE-15", "NE-16", "NE-27", "GEN-15", "GEN-16")
	needs := nodeGrowth()
	s.Case("grows a volume on the node without capacity_range", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume, _ := grownVolume(ctx, under, node)
		request := node.NodeExpandVolumeRequest(node.Publish(ctx, volume), 0)
		request.CapacityRange = nil

		mustGrowOnNode(ctx, node, request)
	})
}
