package general

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume has a name, and at least one capability, which says how it is accessed and by whom.
func requiredCreateVolume(s *harness.Suite) {
	labels := verdict.Case("required_create_volume", "CV-17", "GEN-06", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := claiming()
	s.Case("asks for the required fields of CreateVolume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := under.CreateVolumeRequest(under.Volume(1).Within(under.Zones(1)...))

		asksFor(ctx, under, under.Controller.CreateVolume, request,
			required("name"), required("volume_capabilities", "CV-17", "GEN-06"),
			required("volume_capabilities.access_type"),
			required("volume_capabilities.access_mode"), required("volume_capabilities.access_mode.mode"))
	})
}
