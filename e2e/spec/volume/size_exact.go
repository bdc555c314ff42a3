package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// required_bytes and limit_bytes of one value ask for just that size. A driver that cannot have it says so; of one that
// has made a volume of that size, users will not see why it should.
func sizeExact(s *harness.Suite) {
	labels := verdict.Case("size_exact", "CR-03", "CR-05", "CV-11")
	needs := harness.Needs{Volumes: 2}
	s.Case("makes a volume of exactly the size asked for", labels, needs, func(ctx context.Context, under *harness.Driver) {
		size := known(made(ctx, under, creation(under)))

		request := creation(under)
		request.CapacityRange = &csi.CapacityRange{RequiredBytes: size, LimitBytes: size}
		response, err := under.Controller.CreateVolume(ctx, request)

		if err != nil {
			gomega.Expect(err).To(harness.BeRefused("a size that a volume cannot have is OUT_OF_RANGE (CVE-11)", codes.OutOfRange))
			verdict.Warn("there is a volume of %d bytes, and none can be had of exactly that size: %v", size, err)
			return
		}
		fits("capacity_bytes", response.GetVolume().GetCapacityBytes(), request.GetCapacityRange())
	})
}
