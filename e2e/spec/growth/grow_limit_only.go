package growth

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A capacity_range may have limit_bytes alone: any size up to it will do. It must not become larger, nor smaller than
// it was.
func growLimitOnly(s *harness.Suite) {
	labels := verdict.Case("grow_limit_only", "CR-02", "CR-05", "CE-13", "CE-19", "GEN-15", "GEN-16")
	needs := controllerGrowth()
	s.Case("takes a capacity_range that has limit_bytes only", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		request := under.ControllerExpandVolumeRequest(volume, 0)
		request.CapacityRange.LimitBytes = larger(under, volume)

		response, err := under.Controller.ControllerExpandVolume(ctx, request)

		if err != nil {
			gomega.Expect(err).To(harness.BeRefused("one of required_bytes and limit_bytes is enough (CR-02): the range can be unsupported, not invalid (CE-19)", codes.OutOfRange))
			return
		}
		gomega.Expect(response.GetCapacityBytes()).To(gomega.BeNumerically("<=", request.GetCapacityRange().GetLimitBytes()), "the volume has at most limit_bytes (CR-05)")
		gomega.Expect(response.GetCapacityBytes()).To(gomega.BeNumerically(">=", max(under.Size(), volume.GetCapacityBytes())), "expansion never shrinks a volume (CE-13)")
	})
}
