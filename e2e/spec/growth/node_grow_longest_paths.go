package growth

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Paths as long as Linux allows should be taken. A driver that does not is warned.
func nodeGrowLongestPaths(s *harness.Suite) {
	labels := verdict.Case("node_grow_longest_paths", "NE-12", "NE-19")
	needs := nodeGrowth()
	s.Case("grows a volume on the node at paths of almost 4096 bytes", labels, needs, func(ctx context.Context, under *harness.Driver) {
		const longest = 4000 // PATH_MAX is 4096, and what is before it on the node may be longer than here
		node := under.Nodes[0]
		volume, bytes := grownVolume(ctx, under, node)

		published, err := publishAtLongPaths(ctx, under, node, volume, longest)
		if err == nil {
			_, err = node.NodeExpandVolume(ctx, node.NodeExpandVolumeRequest(published, bytes))
		}

		if err != nil {
			verdict.Warn("paths of the longest length that the operating system allows should be taken (NE-12, NE-19), and those of %d bytes are not\ngot: %v", longest, err)
		}
	})
}
