package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// NodeExpandVolume may come before NodePublishVolume: volume_path is then where the volume is staged. A file system
// that cannot grow in use is FAILED_PRECONDITION, and a warning: NodeExpandVolume is for volumes that are in use.
func nodeGrowStaged(s *harness.Suite) {
	labels := verdict.Case("node_grow_staged", "NE-01", "NE-06", "NE-23", "NE-24", "NE-27", "GEN-15", "GEN-16")
	needs := nodeGrowth()
	needs.Node = append(needs.Node, csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME)
	s.Case("grows a volume that is staged and not yet published", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume, bytes := grownVolume(ctx, under, node)
		staged := node.Stage(ctx, volume)

		request := node.NodeExpandVolumeRequest(node.NodePublishVolumeRequest(ctx, staged), bytes)
		request.VolumePath = staged.GetStagingTargetPath()
		mustGrowOnNode(ctx, node, request)
	})
}
