package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume is published to a node, in one way.
func requiredControllerPublish(s *harness.Suite) {
	labels := verdict.Case("required_controller_publish", "CP-08", "CP-09", "CP-13", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1, Nodes: 1, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME}}
	s.Case("asks for the required fields of ControllerPublishVolume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := madeFor(ctx, under, node)

		asksFor(ctx, under, under.Controller.ControllerPublishVolume, under.ControllerPublishVolumeRequest(volume, node),
			required("volume_id", "CP-08"), required("node_id", "CP-09"), required("volume_capability", "CP-13"),
			required("volume_capability.access_type", "CP-13"),
			required("volume_capability.access_mode", "CP-13"), required("volume_capability.access_mode.mode", "CP-13"))
	})
}
