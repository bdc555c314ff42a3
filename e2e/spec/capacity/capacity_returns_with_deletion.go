package capacity

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What a deleted volume had is available again.
func capacityReturnsWithDeletion(s *harness.Suite) {
	labels := verdict.Case("capacity_returns_with_deletion", "CAP-11", "CAP-12")
	needs := harness.Needs{Volumes: 1, ExactCapacity: true}
	s.Case("tells as much as before once a volume is deleted", labels, needs, func(ctx context.Context, under *harness.Driver) {
		before := available(ctx, under, under.Z2)
		volume := under.NeedVolume(ctx, in(under.Volume(1), under.Z2))

		remove(ctx, under, volume)

		under.Eventually(ctx, func(g gomega.Gomega) {
			g.Expect(available(ctx, under, under.Z2)).To(gomega.Equal(before), "a volume was made and deleted, and there is not as much available as before it (CAP-12)")
		})
	})
}
