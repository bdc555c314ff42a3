package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A capacity_range has required_bytes or limit_bytes. A driver that takes an empty one for none hides the mistake.
func sizeEmptyRange(s *harness.Suite) {
	labels := verdict.Case("size_empty_range", "CR-02", "GEN-11", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1}
	s.Case("refuses a capacity_range that is empty", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		request.CapacityRange = &csi.CapacityRange{}
		_, err := under.Controller.CreateVolume(ctx, request)

		if err == nil {
			verdict.Warn("a capacity_range has required_bytes or limit_bytes (CR-02), and one with neither was taken for none")
			return
		}
		gomega.Expect(err).To(harness.BeRefused("a capacity_range with neither required_bytes nor limit_bytes is INVALID_ARGUMENT (CR-02)", codes.InvalidArgument))
	})
}
