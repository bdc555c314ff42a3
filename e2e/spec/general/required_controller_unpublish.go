package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The node may be left out, which means all of them; the volume may not.
func requiredControllerUnpublish(s *harness.Suite) {
	labels := verdict.Case("required_controller_unpublish", "CU-08", "CU-14", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1, Nodes: 1, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME}}
	s.Case("asks for the required field of ControllerUnpublishVolume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := madeFor(ctx, under, node)
		under.Attach(ctx, volume, node)

		asksFor(ctx, under, under.Controller.ControllerUnpublishVolume, under.ControllerUnpublishVolumeRequest(volume, node),
			required("volume_id", "CU-08", "CU-14"))
	})
}
