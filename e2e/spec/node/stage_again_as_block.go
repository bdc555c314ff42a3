package node

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A path has a file system or a block device, and not both.
func stageAgainAsBlock(s *harness.Suite) {
	labels := verdict.Case("stage_again_as_block", "NS-05", "GEN-15", "GEN-16")
	needs := staging()
	needs.Block = true
	s.Case("answers ALREADY_EXISTS for a volume that is staged as a file system and asked for as a block device", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolumeWith(ctx, under.VolumeFor(node), under.Mount(), under.Block())
		request := node.Stage(ctx, volume)

		request.VolumeCapability = under.Block()

		gomega.Expect(stage(ctx, node, request)).To(harness.BeRefused(
			"a volume that is staged at the path with an incompatible volume_capability is ALREADY_EXISTS (NS-05)", codes.AlreadyExists))
	})
}
