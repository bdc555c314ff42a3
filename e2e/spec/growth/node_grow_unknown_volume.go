package growth

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is deleted is unknown: its volume_id is one that the driver made itself.
func nodeGrowUnknownVolume(s *harness.Suite) {
	labels := verdict.Case("node_grow_unknown_volume", "NE-26", "GEN-15", "GEN-16")
	needs := nodeGrowth()
	s.Case("does not find a volume that was deleted", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		request := notOnNode(ctx, node, under.DeletedVolume(ctx), under.GrownSize())

		_, err := node.NodeExpandVolume(ctx, request)

		gomega.Expect(err).To(harness.BeRefused("a volume that does not exist is NOT_FOUND (NE-26)", codes.NotFound))
	})
}
