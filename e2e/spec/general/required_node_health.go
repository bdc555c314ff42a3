package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// An id says of which volume the health is meant. Its paths may be left out.
func requiredNodeHealth(s *harness.Suite) {
	labels := verdict.Case("required_node_health", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := claimingAtNode(csi.NodeServiceCapability_RPC_GET_VOLUME_HEALTH)
	s.Case("asks for the required field of NodeGetVolumeHealth", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		published := node.Publish(ctx, madeFor(ctx, under, node))

		asksFor(ctx, under, node.NodeGetVolumeHealth, &csi.NodeGetVolumeHealthRequest{
			VolumeId:          published.GetVolumeId(),
			VolumePublishPath: published.GetTargetPath(),
			StagingTargetPath: published.GetStagingTargetPath(),
		}, required("volume_id"))
	})
}
