package capacity

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The capacity of a segment is that for volumes in it: a volume in Z2 takes nothing from what there is elsewhere.
func capacityFallsInItsSegment(s *harness.Suite) {
	labels := verdict.Case("capacity_falls_in_its_segment", "CAP-07", "CAP-11", "CAP-12")
	needs := harness.Needs{Segments: 2, Shows: 4, Volumes: 1, ExactCapacity: true}
	s.Case("tells less in Z2, where a volume was made, and as much as before elsewhere", labels, needs, func(ctx context.Context, under *harness.Driver) {
		before := everyAvailable(ctx, under)

		volume := under.NeedVolume(ctx, in(under.Volume(1), under.Z2))

		before[under.Z2.String()] -= bytesOf(under, volume)
		under.Eventually(ctx, func(g gomega.Gomega) {
			g.Expect(everyAvailable(ctx, under)).To(gomega.Equal(before), "a volume of %d bytes was made in %s, and nowhere else (CAP-07)", bytesOf(under, volume), under.Z2)
		})
	})
}
