package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume is staged somewhere, in one way.
func requiredNodeStage(s *harness.Suite) {
	labels := verdict.Case("required_node_stage", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := claimingAtNode(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME)
	s.Case("asks for the required fields of NodeStageVolume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := madeFor(ctx, under, node)
		request := node.NodeStageVolumeRequest(ctx, volume, under.Attach(ctx, volume, node))

		asksFor(ctx, under, node.NodeStageVolume, request, required("volume_id"), required("staging_target_path"), required("volume_capability"),
			required("volume_capability.access_type"),
			required("volume_capability.access_mode"), required("volume_capability.access_mode.mode"))
	})
}
