package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume is measured where it is.
func requiredNodeStats(s *harness.Suite) {
	labels := verdict.Case("required_node_stats", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := claimingAtNode(csi.NodeServiceCapability_RPC_GET_VOLUME_STATS)
	s.Case("asks for the required fields of NodeGetVolumeStats", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		published := node.Publish(ctx, madeFor(ctx, under, node))

		asksFor(ctx, under, node.NodeGetVolumeStats, &csi.NodeGetVolumeStatsRequest{
			VolumeId:          published.GetVolumeId(),
			VolumePath:        published.GetTargetPath(),
			StagingTargetPath: published.GetStagingTargetPath(),
		}, required("volume_id"), required("volume_path"))
	})
}
