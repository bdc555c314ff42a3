package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Where it was staged has to be said again.
func requiredNodeUnstage(s *harness.Suite) {
	labels := verdict.Case("required_node_unstage", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := claimingAtNode(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME)
	s.Case("asks for the required fields of NodeUnstageVolume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		staged := node.Stage(ctx, madeFor(ctx, under, node))

		asksFor(ctx, under, node.NodeUnstageVolume, &csi.NodeUnstageVolumeRequest{
			VolumeId: staged.GetVolumeId(), StagingTargetPath: staged.GetStagingTargetPath(),
		}, required("volume_id"), required("staging_target_path"))
	})
}
