package capacity

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume whose limit_bytes are a byte less than minimum_volume_size cannot be made: OUT_OF_RANGE.
func capacityLessThanMinimum(s *harness.Suite) {
	labels := verdict.Case("capacity_less_than_minimum", "CAP-20", "CAP-21", "CVE-11", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1, TrackedCapacity: true}
	s.Case("refuses a volume of a byte less than minimum_volume_size", labels, needs, func(ctx context.Context, under *harness.Driver) {
		for _, kind := range minima(ctx, under) {
			if kind.minimum == 1 {
				continue // limit_bytes 0 would be no limit
			}
			request := under.CreateVolumeRequest(in(under.Volume(kind.x), under.Z2))
			request.CapacityRange = &csi.CapacityRange{LimitBytes: kind.minimum - 1}

			_, err := under.Controller.CreateVolume(ctx, request)

			gomega.Expect(err).To(harness.BeRefused(fmt.Sprintf("minimum_volume_size is %d, and limit_bytes are less: that is OUT_OF_RANGE (CAP-20, CVE-11)", kind.minimum), codes.OutOfRange))
		}
	})
}
