package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// An id says of which volume the health is meant.
func requiredVolumeHealth(s *harness.Suite) {
	labels := verdict.Case("required_volume_health", "VH-12", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := claiming(csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH)
	s.Case("asks for the required field of ControllerGetVolumeHealth", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := made(ctx, under)

		asksFor(ctx, under, under.Controller.ControllerGetVolumeHealth, &csi.ControllerGetVolumeHealthRequest{VolumeId: volume.GetVolumeId()},
			required("volume_id"))
	})
}
