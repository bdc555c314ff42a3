package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume grows to a size.
func requiredControllerExpand(s *harness.Suite) {
	labels := verdict.Case("required_controller_expand", "CE-08", "CE-09", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := claiming(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME)
	s.Case("asks for the required fields of ControllerExpandVolume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := made(ctx, under)

		asksFor(ctx, under, under.Controller.ControllerExpandVolume, &csi.ControllerExpandVolumeRequest{
			VolumeId:         volume.GetVolumeId(),
			CapacityRange:    &csi.CapacityRange{RequiredBytes: 2 * under.Size()},
			VolumeCapability: under.Mount(),
			Secrets:          under.Profile().Secrets.ControllerExpandVolume,
		}, "volume_id", "capacity_range")
	})
}
