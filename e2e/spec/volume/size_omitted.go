package volume

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Without capacity_range the driver MAY choose the size. One that does not has to be told in every StorageClass.
func sizeOmitted(s *harness.Suite) {
	labels := verdict.Case("size_omitted", "CV-10", "VOL-02")
	needs := harness.Needs{Volumes: 1}
	s.Case("chooses a size when none is asked for", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		request.CapacityRange = nil
		response, err := under.Controller.CreateVolume(ctx, request)

		if err != nil {
			gomega.Expect(err).To(harness.BeRefused("capacity_range is OPTIONAL: where it is needed all the same, or the size chosen does not fit, the call says so (CV-10)",
				codes.InvalidArgument, codes.OutOfRange, codes.ResourceExhausted))
			verdict.Warn("capacity_range is OPTIONAL, and a volume without it is refused (CV-10): %v", err)
			return
		}
		gomega.Expect(response.GetVolume().GetCapacityBytes()).To(gomega.BeNumerically(">=", 0), "capacity_bytes is not negative (VOL-02)")
	})
}
