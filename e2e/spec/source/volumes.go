package source

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// snapshots is what every case on snapshots needs, and clones what those on clones need.
func snapshots() harness.Needs {
	return harness.Needs{Volumes: 1, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT}}
}

func clones() harness.Needs {
	return harness.Needs{Volumes: 1, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_CLONE_VOLUME}}
}

// mustMake makes a volume from a source that a plugin has to support, wherever the driver likes.
func mustMake(ctx context.Context, under *harness.Driver, source *csi.VolumeContentSource, asked model.Request) harness.Answer {
	ginkgo.GinkgoHelper()
	got := under.CreateVolumeFrom(ctx, source, asked)
	why := "a plugin that claims CREATE_DELETE_SNAPSHOT makes volumes from snapshots (CS-01)"
	if source.GetVolume() != nil {
		why = "a plugin that claims CLONE_VOLUME makes volumes from its own volumes (CS-02)"
	}
	gomega.Expect(got.Code).To(gomega.Equal(codes.OK), "%s\ngot: %s", why, got)
	if bytes := got.Volume.GetCapacityBytes(); bytes != 0 {
		gomega.Expect(bytes).To(gomega.BeNumerically(">=", asked.Bytes), "capacity_range is honoured, also from a source (CV-11)")
	}
	return got
}

// needMade makes a volume from a source, as large as the volume that this goes back to, which the case depends on and
// does not judge. bytes is what it has; the driver may not tell, and then it has what was asked for.
func needMade(ctx context.Context, under *harness.Driver, source *csi.VolumeContentSource, origin *csi.Volume) (volume *csi.Volume, bytes int64) {
	asked := under.Volume(1).OfBytes(max(under.Size(), origin.GetCapacityBytes()))
	request := under.CreateVolumeRequest(asked)
	request.VolumeContentSource = source
	volume = harness.Need(under.Controller.CreateVolume(ctx, request)).GetVolume()
	if volume.GetCapacityBytes() > 0 {
		return volume, volume.GetCapacityBytes()
	}
	return volume, asked.Bytes
}

// judgeOutOfReach judges a volume that was asked for where its source is not.
func judgeOutOfReach(under *harness.Driver, got harness.Answer, asked model.Request) {
	ginkgo.GinkgoHelper()
	if got.Code == codes.OK {
		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		return
	}
	gomega.Expect(got.Code).To(gomega.BeElementOf(codes.ResourceExhausted, codes.InvalidArgument),
		"a source out of reach is RESOURCE_EXHAUSTED (CVE-08) or INVALID_ARGUMENT (CVE-04)\ngot: %s", got)
	gomega.Expect(got).To(harness.LeaveNothingBehind())
	if got.Code == codes.InvalidArgument {
		verdict.Warn("only RESOURCE_EXHAUSTED (CVE-08) makes Kubernetes look for a place that the source reaches, and INVALID_ARGUMENT (CVE-04) does not\ngot: %s", got)
	}
}

// judgeLarger judges a volume that was asked for in more bytes than its source has.
func judgeLarger(got harness.Answer, asked model.Request) {
	ginkgo.GinkgoHelper()
	if got.Code != codes.OK {
		gomega.Expect(got.Code).To(gomega.Equal(codes.OutOfRange), "a volume larger than its source is made, or is OUT_OF_RANGE (CV-05)\ngot: %s", got)
		gomega.Expect(got).To(harness.LeaveNothingBehind())
		return
	}
	gomega.Expect(got.Volume.GetCapacityBytes()).To(gomega.Or(gomega.BeZero(), gomega.BeNumerically(">=", asked.Bytes)),
		"a volume larger than its source has the size that was asked for (CV-05, CR-03), or none that is known")
}

// expectThere says that there still is the volume.
func expectThere(ctx context.Context, under *harness.Driver, volume *csi.Volume) {
	ginkgo.GinkgoHelper()
	_, err := under.Controller.ValidateVolumeCapabilities(ctx, &csi.ValidateVolumeCapabilitiesRequest{
		VolumeId:           volume.GetVolumeId(),
		VolumeContext:      volume.GetVolumeContext(),
		VolumeCapabilities: []*csi.VolumeCapability{under.Mount()},
		Secrets:            under.Profile().Secrets.ValidateVolume,
	})
	gomega.Expect(err).To(harness.BeOK(fmt.Sprintf("volume %s is still there, and ValidateVolumeCapabilities finds it", volume.GetVolumeId())))
}
