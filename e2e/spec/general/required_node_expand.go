package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume grows where it is. The controller has grown it already, where it does that.
func requiredNodeExpand(s *harness.Suite) {
	labels := verdict.Case("required_node_expand", "NE-10", "NE-11", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := claimingAtNode(csi.NodeServiceCapability_RPC_EXPAND_VOLUME)
	s.Case("asks for the required fields of NodeExpandVolume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume, bytes := madeFor(ctx, under, node), under.Size()
		if under.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME) {
			bytes = under.GrownSize()
			under.Grow(ctx, volume, bytes, under.Mount())
		}
		request := node.NodeExpandVolumeRequest(node.Publish(ctx, volume), bytes)

		asksFor(ctx, under, node.NodeExpandVolume, request, required("volume_id", "NE-10"), required("volume_path", "NE-11"))
	})
}
