package capacity

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What a deleted volume had is available again: in the segment that it was in, and in no other.
func capacityReturnsWithDeletion(s *harness.Suite) {
	labels := verdict.Case("capacity_returns_with_deletion", "CAP-07", "CAP-11", "CAP-12")
	needs := harness.Needs{Volumes: 1, ExactCapacity: true}
	s.Case("tells as much as before once a volume is deleted", labels, needs, func(ctx context.Context, under *harness.Driver) {
		before := everyAvailable(ctx, under)
		volume := under.NeedVolume(ctx, in(under.Volume(1), under.Z2))

		remove(ctx, under, volume)

		under.Eventually(ctx, func(g gomega.Gomega) {
			g.Expect(everyAvailable(ctx, under)).To(gomega.Equal(before), "a volume was made and deleted, and there is not as much available as before it (CAP-07, CAP-12)")
		})
	})
}
