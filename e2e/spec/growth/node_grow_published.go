package growth

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// NodeExpandVolume may come after NodePublishVolume: volume_path is then where the volume is published.
func nodeGrowPublished(s *harness.Suite) {
	labels := verdict.Case("node_grow_published", "NE-01", "NE-06", "NE-23", "NE-24", "NE-27", "GEN-15", "GEN-16")
	needs := nodeGrowth()
	s.Case("grows a volume that is published", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume, bytes := grownVolume(ctx, under, node)
		published := node.Publish(ctx, volume)

		mustGrowOnNode(ctx, node, node.NodeExpandVolumeRequest(published, bytes))
	})
}
