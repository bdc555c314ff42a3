package cluster

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// x < n with one topology of requisite full: the volume is in the other, whichever of them
// preferred names first. Two claims with neighbouring ordinals see both orders.
func immediateTakesFreeZone(t *suite) {
	t.it("makes the volume in the allowed zone that has room, in either order of preference",
		verdict.Case("immediate_takes_free_zone", "TR-11", "TR-13", "PF-05", "K8S-C4"),
		func(ctx context.Context, s *scenario) {
			zones := s.zones(2)
			full, free := zones[0], zones[1]
			s.fill(ctx, full)
			class := s.class(ctx, workload.Immediate().AllowedIn(segmentsOf(zones...)...))
			for _, name := range []string{"data-workload-0", "data-workload-1"} {
				claim := s.claimAs(ctx, workload.ClaimOf(class).Size(s.target.VolumeSize).Named(name))

				s.mustBindIn(ctx, claim, free)
			}
		})
}
