package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// staging_target_path is optional.
func nodeGrowNoStagingPath(s *harness.Suite) {
	labels := verdict.Case("node_grow_no_staging_path", "NE-18", "NE-27", "GEN-15", "GEN-16")
	needs := nodeGrowth()
	needs.Node = append(needs.Node, csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME)
	s.Case("grows a volume on the node without staging_target_path", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume, bytes := grownVolume(ctx, under, node)
		request := node.NodeExpandVolumeRequest(node.Publish(ctx, volume), bytes)
		request.StagingTargetPath = ""

		mustGrowOnNode(ctx, node, request)
	})
}
