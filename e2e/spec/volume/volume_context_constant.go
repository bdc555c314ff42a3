package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What is reported of a volume is what CreateVolume answered, however often it is asked for: a CO keeps it. That it is
// left out is nothing else; get_volume_as_created warns of it.
func volumeContextConstant(s *harness.Suite) {
	labels := verdict.Case("volume_context_constant", "VOL-08", "VOL-12")
	needs := harness.Needs{Volumes: 1, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_GET_VOLUME}}
	s.Case("never reports another volume_context", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := made(ctx, under, creation(under))

		for range 2 {
			got := harness.Need(under.Controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: volume.GetVolumeId()}))
			if reported := got.GetVolume().GetVolumeContext(); len(reported) > 0 {
				gomega.Expect(reported).To(gomega.Equal(volume.GetVolumeContext()),
					"volume_context is not mutable (VOL-08): ControllerGetVolume reports what CreateVolume did (VOL-12)")
			}
		}
	})
}
