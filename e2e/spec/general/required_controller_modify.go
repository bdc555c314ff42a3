package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume changes in something.
func requiredControllerModify(s *harness.Suite) {
	labels := verdict.Case("required_controller_modify", "MV-03", "GEN-06", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1, Mutable: true, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_MODIFY_VOLUME}}
	s.Case("asks for the required fields of ControllerModifyVolume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := made(ctx, under)

		asksFor(ctx, under, under.Controller.ControllerModifyVolume, &csi.ControllerModifyVolumeRequest{
			VolumeId:          volume.GetVolumeId(),
			MutableParameters: under.Profile().MutableParameters,
			Secrets:           under.Profile().Secrets.ControllerModifyVolume,
		}, required("volume_id", "MV-03"), required("mutable_parameters", "MV-03", "GEN-06"))
	})
}
