package node

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// NodeUnstageVolume cannot do without a volume_id and a staging_target_path.
func unstageMissingFields(s *harness.Suite) {
	labels := verdict.Case("unstage_missing_fields", "GEN-05", "GEN-11", "GEN-15", "GEN-16")
	needs := staging()
	s.Case("answers INVALID_ARGUMENT to NodeUnstageVolume without a field that is required", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		whole := node.NodeStageVolumeRequest(ctx, volume, nil)

		nameless, pathless := proto.CloneOf(whole), proto.CloneOf(whole)
		nameless.VolumeId = ""
		gomega.Expect(unstage(ctx, node, nameless)).To(harness.BeRefused(missing("volume_id"), codes.InvalidArgument))
		pathless.StagingTargetPath = ""
		gomega.Expect(unstage(ctx, node, pathless)).To(harness.BeRefused(missing("staging_target_path"), codes.InvalidArgument))
	})
}
