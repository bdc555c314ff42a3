package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// creation is the call for a volume of the case's size, in the driver's first segment if it has any, as a CO asks for it. A
// case changes what it is about.
func creation(under *harness.Driver) *csi.CreateVolumeRequest {
	return under.CreateVolumeRequest(under.Volume(1).Within(under.Zones(1)...))
}

// made is the volume of a call that the case depends on.
func made(ctx context.Context, under *harness.Driver, request *csi.CreateVolumeRequest) *csi.Volume {
	return harness.Need(under.Controller.CreateVolume(ctx, request)).GetVolume()
}

// unknown is a volume that no driver has.
func unknown() *csi.Volume {
	return &csi.Volume{VolumeId: "csi-topo-no-such-volume"}
}

// deletion is the call that deletes the volume.
func deletion(under *harness.Driver, volume *csi.Volume) *csi.DeleteVolumeRequest {
	return &csi.DeleteVolumeRequest{VolumeId: volume.GetVolumeId(), Secrets: under.Profile().Secrets.DeleteVolume}
}

// refuses expects CreateVolume to be refused with one of the codes, and to leave nothing behind. why is the clause in
// words, with its id.
func refuses(ctx context.Context, under *harness.Driver, request *csi.CreateVolumeRequest, why string, with ...codes.Code) {
	ginkgo.GinkgoHelper()
	left := under.Changes(ctx, func() {
		_, err := under.Controller.CreateVolume(ctx, request)
		gomega.Expect(err).To(harness.BeRefused(why, with...))
	})
	gomega.Expect(left).To(gomega.BeEmpty(), "CreateVolume was refused, and should have left nothing behind (CV-07)")
}

// there expects the driver to know the volume by its id, whatever it says of its capabilities. why says what it shows.
func there(ctx context.Context, under *harness.Driver, volume *csi.Volume, why string) {
	ginkgo.GinkgoHelper()
	_, err := under.Controller.ValidateVolumeCapabilities(ctx, validation(under, volume, under.Mount()))
	gomega.Expect(status.Code(err)).NotTo(gomega.Equal(codes.NotFound), "%s, and ValidateVolumeCapabilities does not find it: %v", why, err)
}

// remains expects the call that made a volume to answer with that volume when it is repeated. why says what it shows.
func remains(ctx context.Context, under *harness.Driver, request *csi.CreateVolumeRequest, volume *csi.Volume, why string) {
	ginkgo.GinkgoHelper()
	again, err := under.Controller.CreateVolume(ctx, request)
	gomega.Expect(err).NotTo(gomega.HaveOccurred(), why)
	gomega.Expect(again.GetVolume().GetVolumeId()).To(gomega.Equal(volume.GetVolumeId()), why)
}
