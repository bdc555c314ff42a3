package growth

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is larger than limit_bytes cannot obey it without shrinking: OUT_OF_RANGE. To answer OK with the size
// that it has is one reading of CE-03 against CR-05, and a warning. To shrink is wrong.
func growLimitBelowSize(s *harness.Suite) {
	labels := verdict.Case("grow_limit_below_size", "CR-05", "CE-03", "CE-13", "CE-19", "GEN-15", "GEN-16")
	needs := controllerGrowth()
	s.Case("does not shrink a volume to limit_bytes", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		grown := mustGrow(ctx, under, under.ControllerExpandVolumeRequest(volume, larger(under, volume)))
		before := under.Watch(ctx)
		request := under.ControllerExpandVolumeRequest(volume, under.Size())
		request.CapacityRange.LimitBytes = grown.GetCapacityBytes() - 1

		response, err := under.Controller.ControllerExpandVolume(ctx, request)

		if err != nil {
			gomega.Expect(err).To(harness.BeRefused("a range that the volume cannot be in is OUT_OF_RANGE (CE-19)", codes.OutOfRange))
		} else {
			gomega.Expect(response.GetCapacityBytes()).To(gomega.Equal(grown.GetCapacityBytes()), "a volume that is larger than limit_bytes neither shrinks nor grows (CE-13, CR-05)")
			verdict.Warn("limit_bytes is %d, and the answer is OK with a volume of %d: it must not be bigger (CR-05)", request.GetCapacityRange().GetLimitBytes(), response.GetCapacityBytes())
		}
		gomega.Expect(before.Changes(ctx)).To(gomega.BeEmpty(), "the volume did not grow, so nothing is taken")
		expectReported(ctx, under, volume, grown.GetCapacityBytes())
	})
}
