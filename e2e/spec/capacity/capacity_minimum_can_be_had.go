package capacity

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume whose limit_bytes are minimum_volume_size can be made, of every kind, and has no more.
func capacityMinimumCanBeHad(s *harness.Suite) {
	labels := verdict.Case("capacity_minimum_can_be_had", "CAP-20", "CAP-21", "CAP-22", "CR-05")
	needs := harness.Needs{Volumes: 2, TrackedCapacity: true}
	s.Case("makes volumes of minimum_volume_size", labels, needs, func(ctx context.Context, under *harness.Driver) {
		for _, kind := range minima(ctx, under) {
			request := under.CreateVolumeRequest(in(under.Volume(kind.x), under.Z2))
			request.CapacityRange = &csi.CapacityRange{LimitBytes: kind.minimum}

			response, err := under.Controller.CreateVolume(ctx, request)

			gomega.Expect(err).To(harness.BeOK(fmt.Sprintf("minimum_volume_size is %d, and a volume with these limit_bytes can be made (CAP-20)", kind.minimum)))
			gomega.Expect(response.GetVolume().GetCapacityBytes()).To(gomega.BeNumerically("<=", kind.minimum), "the volume has no more than limit_bytes (CR-05)")
		}
	})
}
