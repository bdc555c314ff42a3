package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What a volume reports is what it reported when it was made, also once it has been in use: a CO keeps it.
func volumeContextConstant(s *harness.Suite) {
	labels := verdict.Case("volume_context_constant", "VOL-08", "VOL-12")
	needs := harness.Needs{Volumes: 1, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_GET_VOLUME}}
	s.Case("never reports another volume_context", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := made(ctx, under, creation(under))

		for range 2 {
			got := harness.Need(under.Controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: volume.GetVolumeId()}))
			gomega.Expect(got.GetVolume().GetVolumeContext()).To(gomega.Equal(volume.GetVolumeContext()),
				"volume_context is not mutable (VOL-08): ControllerGetVolume reports what CreateVolume did (VOL-12)")
		}
	})
}
