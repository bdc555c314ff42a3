package capacity

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// available_capacity is what is left: it falls by what a new volume has.
func capacityFallsByVolume(s *harness.Suite) {
	labels := verdict.Case("capacity_falls_by_volume", "CAP-11", "CAP-12")
	needs := harness.Needs{Volumes: 1, ExactCapacity: true}
	s.Case("tells less by what a new volume has", labels, needs, func(ctx context.Context, under *harness.Driver) {
		before := available(ctx, under, under.Z2)

		volume := under.NeedVolume(ctx, in(under.Volume(1), under.Z2))

		under.Eventually(ctx, func(g gomega.Gomega) {
			g.Expect(available(ctx, under, under.Z2)).To(gomega.Equal(before-bytesOf(under, volume)),
				"there were %d bytes available, and a volume of %d was made: available_capacity is what is left (CAP-12)", before, bytesOf(under, volume))
		})
	})
}
