package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// There is no answer to no question.
func requiredValidateVolume(s *harness.Suite) {
	labels := verdict.Case("required_validate_volume", "GEN-06", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := claiming()
	s.Case("asks for the required fields of ValidateVolumeCapabilities", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := made(ctx, under)

		asksFor(ctx, under, under.Controller.ValidateVolumeCapabilities, &csi.ValidateVolumeCapabilitiesRequest{
			VolumeId:           volume.GetVolumeId(),
			VolumeContext:      volume.GetVolumeContext(),
			VolumeCapabilities: []*csi.VolumeCapability{under.Mount()},
			Secrets:            under.Profile().Secrets.ValidateVolume,
		}, required("volume_id"), required("volume_capabilities", "GEN-06"))
	})
}
