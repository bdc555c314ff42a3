package growth

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// controllerGrowth is what every case on ControllerExpandVolume needs.
func controllerGrowth() harness.Needs {
	return harness.Needs{Volumes: 1, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_EXPAND_VOLUME}}
}

// larger is the size to which a case grows the volume, which must not have it from the start.
func larger(under *harness.Driver, volume *csi.Volume) int64 {
	bytes := under.GrownSize()
	if has := volume.GetCapacityBytes(); has >= bytes {
		verdict.CouldNotTell("volume %s has %d bytes from the start, and was to grow to %d: set grownBytes in the profile to more", volume.GetVolumeId(), has, bytes)
	}
	return bytes
}

// mustGrow grows a volume that can grow: the answer is OK, and says a size that is large enough.
func mustGrow(ctx context.Context, under *harness.Driver, request *csi.ControllerExpandVolumeRequest) *csi.ControllerExpandVolumeResponse {
	ginkgo.GinkgoHelper()
	response, err := under.Controller.ControllerExpandVolume(ctx, request)
	gomega.Expect(err).To(harness.BeOK(fmt.Sprintf("a volume can grow to %d bytes (CE-01)", request.GetCapacityRange().GetRequiredBytes())))
	gomega.Expect(response.GetCapacityBytes()).To(gomega.BeNumerically(">=", request.GetCapacityRange().GetRequiredBytes()),
		"capacity_bytes is the capacity after expansion (CE-13), at least required_bytes (CR-03)")
	return response
}

// grown grows the volume, which the case depends on and does not judge, and returns the size in bytes that it has then.
// An answer with less than was required is for other cases to judge.
func grown(ctx context.Context, under *harness.Driver, volume *csi.Volume) int64 {
	request := under.ControllerExpandVolumeRequest(volume, larger(under, volume))
	response := harness.Need(under.Controller.ControllerExpandVolume(ctx, request))
	return max(response.GetCapacityBytes(), request.GetCapacityRange().GetRequiredBytes())
}

// expectReported holds what the driver reports of the volume against the size that it has; 0 is a size that is not known
// (VOL-01).
func expectReported(ctx context.Context, under *harness.Driver, volume *csi.Volume, bytes int64) {
	ginkgo.GinkgoHelper()
	if bytes == 0 {
		return
	}
	for call, now := range under.Reported(ctx, volume.GetVolumeId()) {
		gomega.Expect(now.GetCapacityBytes()).To(gomega.BeElementOf(bytes, int64(0)),
			"%s has the capacity_bytes that the volume has after expansion (CE-13), or none", call)
	}
}

// expectUnchanged says that a growth that was refused changed nothing: not the size, and not the capacity.
func expectUnchanged(ctx context.Context, under *harness.Driver, before harness.Watched, volume *csi.Volume) {
	ginkgo.GinkgoHelper()
	gomega.Expect(before.Changes(ctx)).To(gomega.BeEmpty(), "a growth that is refused takes nothing")
	expectReported(ctx, under, volume, volume.GetCapacityBytes())
}

// refuseGrowthBy asks for so many bytes more than there is room for. The specification has no code for that: both
// RESOURCE_EXHAUSTED and OUT_OF_RANGE will do.
func refuseGrowthBy(ctx context.Context, under *harness.Driver, volume *csi.Volume, bytes int64) {
	ginkgo.GinkgoHelper()
	before := under.Watch(ctx)
	request := under.ControllerExpandVolumeRequest(volume, max(under.Size(), volume.GetCapacityBytes())+bytes)

	_, err := under.Controller.ControllerExpandVolume(ctx, request)

	const why = "a growth for which there is no room is OUT_OF_RANGE (CE-19) or RESOURCE_EXHAUSTED"
	gomega.Expect(err).To(harness.BeRefused(why, codes.OutOfRange, codes.ResourceExhausted))
	expectUnchanged(ctx, under, before, volume)
}
