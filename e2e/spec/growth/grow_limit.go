package growth

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// limit_bytes is kept: the volume becomes at least required_bytes and at most limit_bytes large. A driver that has no
// size in between says OUT_OF_RANGE.
func growLimit(s *harness.Suite) {
	labels := verdict.Case("grow_limit", "CR-03", "CR-05", "CE-13", "CE-19", "GEN-15", "GEN-16")
	needs := controllerGrowth()
	s.Case("grows to no more than limit_bytes", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		limit := larger(under, volume)
		request := under.ControllerExpandVolumeRequest(volume, max(under.Size(), volume.GetCapacityBytes())+1)
		request.CapacityRange.LimitBytes = limit

		response, err := under.Controller.ControllerExpandVolume(ctx, request)

		if err != nil {
			gomega.Expect(err).To(harness.BeRefused("a range in which there is no size is OUT_OF_RANGE (CE-19)", codes.OutOfRange))
			return
		}
		gomega.Expect(response.GetCapacityBytes()).To(gomega.BeNumerically(">=", request.GetCapacityRange().GetRequiredBytes()), "the volume has at least required_bytes (CR-03)")
		gomega.Expect(response.GetCapacityBytes()).To(gomega.BeNumerically("<=", limit), "the volume has at most limit_bytes (CR-05)")
		expectReported(ctx, under, volume, response.GetCapacityBytes())
	})
}
