package capacity

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The capacity of a segment is that for volumes in it: a volume in Z2 takes nothing from what there is elsewhere. What
// it takes of Z2 is for capacity_falls_by_volume to judge.
func capacityFallsInItsSegment(s *harness.Suite) {
	labels := verdict.Case("capacity_falls_in_its_segment", "CAP-07", "CAP-11", "CAP-12")
	needs := harness.Needs{Segments: 2, Shows: 4, Volumes: 1, ExactCapacity: true}
	s.Case("tells as much as before elsewhere than in Z2, where a volume was made", labels, needs, func(ctx context.Context, under *harness.Driver) {
		before := everyAvailable(ctx, under)

		volume := under.NeedVolume(ctx, in(under.Volume(1), under.Z2))

		var now map[string]int64
		under.Settled(ctx, func() bool {
			now = everyAvailable(ctx, under)
			return now[under.Z2.String()] != before[under.Z2.String()]
		})
		delete(before, under.Z2.String())
		delete(now, under.Z2.String())
		gomega.Expect(now).To(gomega.Equal(before), "a volume of %d bytes was made in %s, and nowhere else (CAP-07)", bytesOf(under, volume), under.Z2)
	})
}
