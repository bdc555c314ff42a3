package growth

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A raw block volume has no file system to grow: the call is OK all the same.
func nodeGrowBlock(s *harness.Suite) {
	labels := verdict.Case("node_grow_block", "NE-20", "NE-01", "NE-27", "GEN-15", "GEN-16")
	needs := nodeGrowth()
	needs.Block = true
	s.Case("grows a block volume that is published", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		published, bytes := publishedBlock(ctx, under, node)

		mustGrowOnNode(ctx, node, node.NodeExpandVolumeRequest(published, bytes))
	})
}
