package capacity

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Without accessible_topology the capacity is that of the whole storage. What that is next to the segments' is not
// said: a sum, or what one volume can have. Less than one segment has would hide what there is.
func capacityWithoutTopology(s *harness.Suite) {
	labels := verdict.Case("capacity_without_topology", "CAP-09", "CAP-12")
	needs := harness.Needs{Segments: 1, TrackedCapacity: true}
	s.Case("tells no less for everywhere than for one segment", labels, needs, func(ctx context.Context, under *harness.Driver) {
		whole := available(ctx, under, nil)

		gomega.Expect(whole).To(gomega.BeNumerically(">=", 0), "available_capacity is not negative (CAP-13)")
		for _, segment := range under.Segments() {
			if one := available(ctx, under, segment); whole < one {
				verdict.Warn("GetCapacity without accessible_topology tells %d bytes, and %d for %s alone (CAP-09)", whole, one, segment)
			}
		}
	})
}
