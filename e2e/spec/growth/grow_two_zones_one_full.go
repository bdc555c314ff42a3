package growth

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that has its data in two segments grows in both or in neither: with one of them full, nothing is taken of
// the other.
func growTwoZonesOneFull(s *harness.Suite) {
	labels := verdict.Case("grow_two_zones_one_full", "CE-19", "CAP-13", "GEN-15", "GEN-16")
	needs := controllerGrowth()
	needs.Segments, needs.AccessibleFrom, needs.Volumes, needs.Exhaustion = 2, 2, 4, true
	s.Case("refuses to grow a volume in Z2 and the full Z3, and takes nothing of Z2", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(2).Within(under.Z2, under.Z3))
		under.Fill(ctx, under.Z3)

		refuseGrowthBy(ctx, under, volume, under.Size())
	})
}
