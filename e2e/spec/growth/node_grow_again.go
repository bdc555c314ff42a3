package growth

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Asked again for the size that it has, the volume on the node keeps it: the call is idempotent.
func nodeGrowAgain(s *harness.Suite) {
	labels := verdict.Case("node_grow_again", "NE-02", "NE-03")
	needs := nodeGrowth()
	s.Case("answers a repeated growth on the node", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume, bytes := grownVolume(ctx, under, node)
		request := node.NodeExpandVolumeRequest(node.Publish(ctx, volume), bytes)
		first := mustGrowOnNode(ctx, node, request)
		if first == nil {
			return
		}

		again, err := node.NodeExpandVolume(ctx, request)

		gomega.Expect(err).To(harness.BeOK("the same growth again is idempotent (NE-02)"))
		gomega.Expect(again.GetCapacityBytes()).To(gomega.Equal(first.GetCapacityBytes()), "the volume has the size that it had (NE-02)")
	})
}
