package capacity

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Where only one segment has room there is none for a volume that is accessible from two, and the capacity for such
// volumes says so. For a volume that is accessible from one there is as much as before.
func capacityForTwoSegmentsNeedsBoth(s *harness.Suite) {
	labels := verdict.Case("capacity_for_two_segments_needs_both", "CAP-04", "CAP-07", "CAP-11", "CAP-12", "CAP-14", "CAP-15")
	needs := harness.Needs{Segments: 2, AccessibleFrom: 2, Volumes: 1, Exhaustion: true, TrackedCapacity: true}
	s.Case("tells no capacity for two segments where all but one are full", labels, needs, func(ctx context.Context, under *harness.Driver) {
		under.Fill(ctx, under.Segments()[1:]...)

		told, err := under.Controller.GetCapacity(ctx, requestFor(under, 2, under.Z2))
		gomega.Expect(err).To(harness.BeOK("where no volume can be made there is a capacity, and it is 0 (CAP-12)"))
		expectTooLittleFor(told, under.Size(), "every segment but "+under.Z2.String()+" is full, and a volume needs two (CAP-04)")
		expectRoomFor(tell(ctx, under, requestFor(under, 1, under.Z2)), under.Size(), "volumes that are accessible from one topology (CAP-04)")
	})
}
