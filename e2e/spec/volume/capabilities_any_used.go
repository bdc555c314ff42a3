package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The CO MAY use a volume with any of the capabilities that it was asked for with: with one now, and with another later.
func capabilitiesAnyUsed(s *harness.Suite) {
	labels := verdict.Case("capabilities_any_used", "CV-12", "CV-14", "CV-15")
	needs := harness.Needs{Volumes: 1, Nodes: 1, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME}}
	s.Case("publishes a volume with any capability it was made with", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		request := under.CreateVolumeRequest(under.VolumeFor(node))
		request.VolumeCapabilities = []*csi.VolumeCapability{
			mounted(under, csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER),
			mounted(under, csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY),
		}
		response, err := under.Controller.CreateVolume(ctx, request)
		if status.Code(err) == codes.InvalidArgument {
			verdict.Skip(verdict.ByCapability, "the driver has no volumes for both SINGLE_NODE_WRITER and SINGLE_NODE_READER_ONLY: %v", err)
		}
		volume := harness.Need(response, err).GetVolume()

		for _, capability := range request.GetVolumeCapabilities() {
			publish := under.ControllerPublishVolumeRequest(volume, node)
			publish.VolumeCapability = capability
			_, err := under.Controller.ControllerPublishVolume(ctx, publish)
			gomega.Expect(err).NotTo(gomega.HaveOccurred(), "a volume can be used with any of its volume_capabilities (CV-14), %s among them", capability.GetAccessMode().GetMode())
			harness.Need(under.Controller.ControllerUnpublishVolume(ctx, &csi.ControllerUnpublishVolumeRequest{
				VolumeId: volume.GetVolumeId(), NodeId: node.ID, Secrets: under.Profile().Secrets.ControllerUnpublishVolume,
			}))
		}
	})
}
