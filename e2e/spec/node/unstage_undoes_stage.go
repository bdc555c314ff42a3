package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// After NodeUnstageVolume, the volume is not at the path any more. A driver whose NodeGetVolumeStats answers for any
// directory does not show it; stats_unknown_path judges that.
func unstageUndoesStage(s *harness.Suite) {
	labels := verdict.Case("unstage_undoes_stage", "NS-06", "GEN-15", "GEN-16")
	needs := staging()
	needs.Node = append(needs.Node, csi.NodeServiceCapability_RPC_GET_VOLUME_STATS)
	s.Case("takes a volume from where it was staged", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		staged := node.Stage(ctx, volume)
		at := &csi.NodeGetVolumeStatsRequest{VolumeId: volume.GetVolumeId(), VolumePath: staged.GetStagingTargetPath(), StagingTargetPath: staged.GetStagingTargetPath()}
		harness.Need(node.NodeGetVolumeStats(ctx, at))
		elsewhere := node.StagingPath(ctx)
		if _, err := node.NodeGetVolumeStats(ctx, &csi.NodeGetVolumeStatsRequest{VolumeId: volume.GetVolumeId(), VolumePath: elsewhere, StagingTargetPath: elsewhere}); err == nil {
			verdict.Skip(verdict.ByCapability, "NodeGetVolumeStats is OK for a directory where the volume is not staged, and so does not tell where it is")
		}

		gomega.Expect(unstage(ctx, node, staged)).To(harness.BeOK("NodeUnstageVolume undoes what NodeStageVolume did (NS-06)"))

		_, err := node.NodeGetVolumeStats(ctx, at)
		gomega.Expect(err).To(harness.BeRefused("NodeUnstageVolume undoes what NodeStageVolume did (NS-06): the volume is at the path no more, and NOT_FOUND there", codes.NotFound))
	})
}
