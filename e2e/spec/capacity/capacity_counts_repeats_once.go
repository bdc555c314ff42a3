package capacity

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A call that is repeated has made or deleted one volume, and counts once.
func capacityCountsRepeatsOnce(s *harness.Suite) {
	labels := verdict.Case("capacity_counts_repeats_once", "CAP-11", "CAP-12", "CV-02", "GEN-07")
	needs := harness.Needs{Volumes: 2, ExactCapacity: true}
	s.Case("counts a volume once though its creation and its deletion are repeated", labels, needs, func(ctx context.Context, under *harness.Driver) {
		before := available(ctx, under, under.Z2)
		request := under.CreateVolumeRequest(in(under.Volume(1), under.Z2))

		volume := harness.Need(under.Controller.CreateVolume(ctx, request)).GetVolume()
		harness.Need(under.Controller.CreateVolume(ctx, request))
		under.Eventually(ctx, func(g gomega.Gomega) {
			g.Expect(available(ctx, under, under.Z2)).To(gomega.Equal(before-bytesOf(under, volume)), "one volume was made by two calls of one name (CAP-12)")
		})

		remove(ctx, under, volume)
		remove(ctx, under, volume)
		var now int64
		under.Settled(ctx, func() bool {
			now = available(ctx, under, under.Z2)
			return now == before
		})
		// That what a volume had returns at all is for capacity_returns_with_deletion to judge.
		gomega.Expect(now).To(gomega.BeNumerically("<=", before), "one volume was deleted by two calls, and what it had is there once more only (CAP-12)")
	})
}
