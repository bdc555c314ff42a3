package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A size that no driver has as a unit is rounded up, never down.
func sizeAtLeastRequired(s *harness.Suite) {
	labels := verdict.Case("size_at_least_required", "CR-03", "CV-11")
	needs := harness.Needs{Volumes: 2}
	s.Case("makes a volume that has required_bytes", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		request.CapacityRange = &csi.CapacityRange{RequiredBytes: under.Size() + 1}

		fits("capacity_bytes", made(ctx, under, request).GetCapacityBytes(), request.GetCapacityRange())
	})
}
