package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is asked for with several capabilities has all of them, or is refused.
func capabilitiesAllHeld(s *harness.Suite) {
	labels := verdict.Case("capabilities_all_held", "CV-12", "CV-13", "CV-15", "GEN-12", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1}
	s.Case("makes a volume that has all capabilities asked for", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		request.VolumeCapabilities = []*csi.VolumeCapability{
			mounted(under, csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER),
			mounted(under, csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY),
		}
		response, err := under.Controller.CreateVolume(ctx, request)

		if err != nil {
			gomega.Expect(err).To(harness.BeRefused("capabilities that are not supported are INVALID_ARGUMENT (CV-13)", codes.InvalidArgument))
			return
		}
		has(ctx, under, response.GetVolume(), "a volume satisfies all of volume_capabilities (CV-12)", request.GetVolumeCapabilities()...)
	})
}
