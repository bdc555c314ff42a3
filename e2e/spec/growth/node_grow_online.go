package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A driver that claims ONLINE expansion grows a volume on the node after the controller grew it, both while it is
// published. A workload should then see more room.
func nodeGrowOnline(s *harness.Suite) {
	labels := verdict.Case("node_grow_online", "PC-07", "PC-08", "NE-01", "NE-27", "GEN-15", "GEN-16")
	needs := nodeGrowth()
	needs.Expansion = []csi.PluginCapability_VolumeExpansion_Type{csi.PluginCapability_VolumeExpansion_ONLINE}
	s.Case("grows a volume at the controller and on the node while it is published", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		published := node.Publish(ctx, volume)
		room, told := node.TotalBytes(ctx, published)
		bytes := larger(under, volume)
		if under.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME) {
			mustGrow(ctx, under, under.ControllerExpandVolumeRequest(volume, bytes))
		}

		grown := mustGrowOnNode(ctx, node, node.NodeExpandVolumeRequest(published, bytes))

		if now, _ := node.TotalBytes(ctx, published); told && grown != nil && now <= room {
			verdict.Warn("NodeExpandVolume answered OK, and NodeGetVolumeStats has %d bytes in total, which were %d before: a workload sees no growth (NE-01)", now, room)
		}
	})
}
