package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Every access mode is had or refused: never taken and then not had. The modes that tell writers on one node apart are
// asked for only where the controller claims to know them.
func capabilitiesEachMode(s *harness.Suite) {
	labels := verdict.Case("capabilities_each_mode", "CV-12", "CV-13", "CV-16", "GEN-12", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1}
	s.Case("has each access mode that it takes", labels, needs, func(ctx context.Context, under *harness.Driver) {
		modes := []csi.VolumeCapability_AccessMode_Mode{
			csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER,
			csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY,
			csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY,
			csi.VolumeCapability_AccessMode_MULTI_NODE_SINGLE_WRITER,
			csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER,
		}
		if under.Claims(csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER) {
			modes = append(modes, csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER, csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER)
		}
		for _, mode := range modes {
			request := creation(under)
			request.VolumeCapabilities = []*csi.VolumeCapability{mounted(under, mode)}
			response, err := under.Controller.CreateVolume(ctx, request)

			if err != nil {
				gomega.Expect(err).To(harness.BeRefused(mode.String()+", if it is not supported, is INVALID_ARGUMENT (CV-16)", codes.InvalidArgument))
				continue
			}
			has(ctx, under, response.GetVolume(), "a volume satisfies all of volume_capabilities (CV-12)", request.GetVolumeCapabilities()...)
			harness.Need(under.Controller.DeleteVolume(ctx, deletion(under, response.GetVolume())))
		}
	})
}
