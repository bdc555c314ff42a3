package growth

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume whose segment is full does not grow, and nothing of it changes. The specification has no code for that: both
// RESOURCE_EXHAUSTED and OUT_OF_RANGE are taken.
func growFullSegment(s *harness.Suite) {
	labels := verdict.Case("grow_full_segment", "CE-19", "CAP-13", "GEN-15", "GEN-16")
	needs := controllerGrowth()
	needs.Segments, needs.Volumes = 1, 4
	needs.Exhaustion = true
	s.Case("refuses to grow a volume in the full Z2, and changes nothing", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1).Within(under.Z2))
		under.Fill(ctx, under.Z2)

		refuseGrowthBy(ctx, under, volume, under.Size())
	})
}
