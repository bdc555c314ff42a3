package general

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume is published somewhere, in one way. Where it is staged, too, has a code of its own.
func requiredNodePublish(s *harness.Suite) {
	labels := verdict.Case("required_node_publish", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := claimingAtNode()
	s.Case("asks for the required fields of NodePublishVolume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		request := node.NodePublishVolumeRequest(ctx, node.Stage(ctx, madeFor(ctx, under, node)))

		asksFor(ctx, under, node.NodePublishVolume, request, required("volume_id"), required("target_path"), required("volume_capability"),
			required("volume_capability.access_type"),
			required("volume_capability.access_mode"), required("volume_capability.access_mode.mode"))
	})
}
