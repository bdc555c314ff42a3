package node

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Where nodes stage volumes, a publication says where the volume is staged.
func publishWithoutStaging(s *harness.Suite) {
	labels := verdict.Case("publish_without_staging", "NS-15", "GEN-15", "GEN-16")
	needs := staging()
	s.Case("answers FAILED_PRECONDITION without a staging_target_path", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		request := node.NodePublishVolumeRequest(ctx, node.Stage(ctx, under.NeedVolume(ctx, under.VolumeFor(node))))
		request.StagingTargetPath = ""

		gomega.Expect(publish(ctx, node, request)).To(harness.BeRefused(
			"with STAGE_UNSTAGE_VOLUME, a call without staging_target_path is FAILED_PRECONDITION (NS-15)", codes.FailedPrecondition))
	})
}
