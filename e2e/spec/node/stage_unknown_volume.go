package node

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that was deleted is not there to be staged, even by what was published once.
func stageUnknownVolume(s *harness.Suite) {
	labels := verdict.Case("stage_unknown_volume", "GEN-09", "GEN-15", "GEN-16")
	needs := staging()
	s.Case("answers NOT_FOUND for a volume that does not exist", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume, publishContext := gone(ctx, under, node)

		got := stage(ctx, node, node.NodeStageVolumeRequest(ctx, volume, publishContext))

		gomega.Expect(got).To(harness.BeRefused("a volume that does not exist is NOT_FOUND, the code that NodeStageVolume has for it (GEN-09)", codes.NotFound))
	})
}
