package cluster

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// x = n = 2: a volume for two topologies, with two in requisite, is accessible from both,
// and its node affinity has one term for each.
func twoZonesBoth(t *suite) {
	t.it("makes a volume for two topologies accessible from both in requisite",
		verdict.Case("two_zones_both", "TR-01", "TR-07", "TR-10", "VOL-15", "VOL-20", "K8S-B9", "K8S-C2"),
		func(ctx context.Context, s *scenario) {
			zones := s.zones(2)
			class := s.class(ctx, workload.Immediate().AllowedIn(segmentsOf(zones...)...).Parameters(s.accessibleFrom(2)))
			claim := s.claim(ctx, class)

			s.mustBindIn(ctx, claim, zones...)
		})
}
