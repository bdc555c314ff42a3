package node

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume cannot do what nobody knows. It exceeds its capabilities, or is an invalid value.
func stageUnknownMode(s *harness.Suite) {
	labels := verdict.Case("stage_unknown_mode", "GEN-09", "GEN-12", "GEN-15", "GEN-16")
	needs := staging()
	s.Case("does not stage a volume with an access mode that no specification has", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		request := node.NodeStageVolumeRequest(ctx, volume, under.Attach(ctx, volume, node))
		request.VolumeCapability = harness.As(under.Mount(), unknownMode)

		gomega.Expect(stage(ctx, node, request)).To(harness.BeRefused(
			"a capability that the volume does not have is FAILED_PRECONDITION (GEN-09), an invalid value INVALID_ARGUMENT (GEN-12)", codes.FailedPrecondition, codes.InvalidArgument))
	})
}
