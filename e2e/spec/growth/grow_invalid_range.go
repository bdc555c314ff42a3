package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// No size is in such a range: it is invalid, or out of range.
func growInvalidRange(s *harness.Suite) {
	labels := verdict.Case("grow_invalid_range", "CR-03", "CR-04", "CR-05", "CR-06", "CE-19", "GEN-12", "GEN-15", "GEN-16")
	needs := controllerGrowth()
	s.Case("refuses negative bytes, and required_bytes above limit_bytes", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		before := under.Watch(ctx)
		bytes := larger(under, volume)
		for _, asked := range []*csi.CapacityRange{{RequiredBytes: -bytes}, {LimitBytes: -bytes}, {RequiredBytes: bytes, LimitBytes: bytes - 1}} {
			ginkgo.By("capacity_range: {" + asked.String() + "}")
			request := under.ControllerExpandVolumeRequest(volume, 0)
			request.CapacityRange = asked

			_, err := under.Controller.ControllerExpandVolume(ctx, request)

			const why = "a range in which there is no size is INVALID_ARGUMENT (GEN-12) or OUT_OF_RANGE (CE-19)"
			gomega.Expect(err).To(harness.BeRefused(why, codes.InvalidArgument, codes.OutOfRange))
		}
		expectUnchanged(ctx, under, before, volume)
	})
}
