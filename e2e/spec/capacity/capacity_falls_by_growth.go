package capacity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that grows takes what it has more.
func capacityFallsByGrowth(s *harness.Suite) {
	labels := verdict.Case("capacity_falls_by_growth", "CAP-11", "CAP-12")
	needs := harness.Needs{Volumes: 2, ExactCapacity: true, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_EXPAND_VOLUME}}
	s.Case("tells less by what a volume has grown", labels, needs, func(ctx context.Context, under *harness.Driver) {
		before := available(ctx, under, under.Z2)
		volume := under.NeedVolume(ctx, in(under.Volume(1), under.Z2))

		grown := harness.Need(grow(ctx, under, volume, under.GrownSize())).GetCapacityBytes()

		under.Eventually(ctx, func(g gomega.Gomega) {
			g.Expect(available(ctx, under, under.Z2)).To(gomega.Equal(before-grown), "of %d bytes, a volume has taken %d after its growth (CAP-12)", before, grown)
		})
	})
}
