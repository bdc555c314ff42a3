package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// One of required_bytes and limit_bytes is enough. A driver whose smallest volume is larger says so.
func sizeLimitOnly(s *harness.Suite) {
	labels := verdict.Case("size_limit_only", "CR-02", "CR-05", "CV-11", "CVE-11")
	needs := harness.Needs{Volumes: 1}
	s.Case("makes a volume of limit_bytes or less", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		request.CapacityRange = &csi.CapacityRange{LimitBytes: under.Size()}
		response, err := under.Controller.CreateVolume(ctx, request)

		if err != nil {
			gomega.Expect(err).To(harness.BeRefused("limit_bytes alone is a capacity_range (CR-02), and one that is too low is OUT_OF_RANGE (CVE-11)", codes.OutOfRange))
			return
		}
		fits("capacity_bytes", response.GetVolume().GetCapacityBytes(), request.GetCapacityRange())
	})
}
