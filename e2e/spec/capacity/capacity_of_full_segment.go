package capacity

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A segment without room has a capacity, which is 0, or too little for a volume. An error would leave what a scheduler
// last knew, and that was more.
func capacityOfFullSegment(s *harness.Suite) {
	labels := verdict.Case("capacity_of_full_segment", "CAP-11", "CAP-12", "CAP-13", "CAP-14", "CAP-26")
	needs := harness.Needs{Segments: 1, Volumes: 1, Exhaustion: true, TrackedCapacity: true}
	s.Case("tells 0, or too little for a volume, once a segment is full", labels, needs, func(ctx context.Context, under *harness.Driver) {
		under.Fill(ctx, under.Z2)

		response, err := under.Controller.GetCapacity(ctx, under.CapacityRequest(under.Z2))

		gomega.Expect(err).To(harness.BeOK("a full segment has a capacity, and it is 0 (CAP-12)"))
		gomega.Expect(negative(response)).To(gomega.BeEmpty())
		expectTooLittleFor(response, under.Size(), "no volume fits into "+under.Z2.String()+" any more (CAP-11)")
	})
}
