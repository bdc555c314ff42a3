package growth

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// NodeExpandVolume is only for a volume that is staged or published at volume_path. Which code says so is open.
func nodeGrowNotOnNode(s *harness.Suite) {
	labels := verdict.Case("node_grow_not_on_node", "NE-04", "GEN-09", "GEN-15", "GEN-16")
	needs := nodeGrowth()
	s.Case("does not grow a volume that the node does not have", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume, bytes := grownVolume(ctx, under, node)
		request := notOnNode(ctx, node, volume, bytes)

		_, err := node.NodeExpandVolume(ctx, request)

		gomega.Expect(err).To(harness.BeRefused("only a volume that is staged or published at volume_path is expanded there (NE-04)"))
	})
}
