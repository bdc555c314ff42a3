package capacity

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is accessible from two segments takes its bytes in both.
func capacityFallsInBothSegments(s *harness.Suite) {
	labels := verdict.Case("capacity_falls_in_both_segments", "CAP-07", "CAP-11", "CAP-12")
	needs := harness.Needs{Segments: 2, Shows: 3, AccessibleFrom: 2, Volumes: 1, ExactCapacity: true}
	s.Case("tells less in both Z2 and Z3, where a volume of two segments was made", labels, needs, func(ctx context.Context, under *harness.Driver) {
		before := everyAvailable(ctx, under)

		volume := under.NeedVolume(ctx, under.Volume(2).Within(under.Z2, under.Z3))

		before[under.Z2.String()] -= bytesOf(under, volume)
		before[under.Z3.String()] -= bytesOf(under, volume)
		under.Eventually(ctx, func(g gomega.Gomega) {
			g.Expect(everyAvailable(ctx, under)).To(gomega.Equal(before), "a volume of %d bytes was made that is accessible from %s and %s (CAP-07)",
				bytesOf(under, volume), under.Z2, under.Z3)
		})
	})
}
