package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// An id says which volume is meant.
func requiredGetVolume(s *harness.Suite) {
	labels := verdict.Case("required_get_volume", "LV-11", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := claiming(csi.ControllerServiceCapability_RPC_GET_VOLUME)
	s.Case("asks for the required field of ControllerGetVolume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := made(ctx, under)

		asksFor(ctx, under, under.Controller.ControllerGetVolume, &csi.ControllerGetVolumeRequest{VolumeId: volume.GetVolumeId()},
			required("volume_id"))
	})
}
