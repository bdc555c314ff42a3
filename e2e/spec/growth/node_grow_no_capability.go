package growth

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// volume_capability is optional. Without it the driver finds out from volume_path how the volume is used.
func nodeGrowNoCapability(s *harness.Suite) {
	labels := verdict.Case("node_grow_no_capability", "NE-21", "NE-22", "NE-27", "GEN-15", "GEN-16")
	needs := nodeGrowth()
	s.Case("grows a volume on the node without volume_capability", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume, bytes := grownVolume(ctx, under, node)
		request := node.NodeExpandVolumeRequest(node.Publish(ctx, volume), bytes)
		request.VolumeCapability = nil

		mustGrowOnNode(ctx, node, request)
	})
}
