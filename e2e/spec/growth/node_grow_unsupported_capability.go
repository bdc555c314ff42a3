package growth

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A capability that the volume does not have is refused.
func nodeGrowUnsupportedCapability(s *harness.Suite) {
	labels := verdict.Case("node_grow_unsupported_capability", "NE-25", "GEN-15", "GEN-16")
	needs := nodeGrowth()
	s.Case("refuses a volume_capability that the volume does not have", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume, bytes := grownVolume(ctx, under, node)
		request := node.NodeExpandVolumeRequest(node.Publish(ctx, volume), bytes)
		request.VolumeCapability = under.Unsupported(ctx, volume)

		_, err := node.NodeExpandVolume(ctx, request)

		const why = "a capability that ValidateVolumeCapabilities does not confirm is INVALID_ARGUMENT (NE-25)"
		gomega.Expect(err).To(harness.BeRefused(why, codes.InvalidArgument))
	})
}
