package growth

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Paths of 128 bytes must be taken, for they are not held to the size limit of other fields.
func nodeGrowLongPaths(s *harness.Suite) {
	labels := verdict.Case("node_grow_long_paths", "NE-13", "NE-27", "GEN-15", "GEN-16")
	needs := nodeGrowth()
	s.Case("grows a volume on the node at paths of 128 bytes", labels, needs, func(ctx context.Context, under *harness.Driver) {
		const atLeast = 128
		node := under.Nodes[0]
		volume, bytes := grownVolume(ctx, under, node)
		published, err := publishAtLongPaths(ctx, under, node, volume, atLeast)
		if err != nil {
			verdict.CouldNotTell("the volume could not be published at paths of %d bytes, which the case needs: %v", atLeast, err)
		}

		mustGrowOnNode(ctx, node, node.NodeExpandVolumeRequest(published, bytes))
	})
}
