package cluster

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is accessible from two topologies is the same volume in both: a pod that
// is moved to the other zone reads what it wrote in the first.
func twoZonesFailover(t *suite) {
	t.it("shows a pod the same data when it is moved to the volume's other zone",
		verdict.Case("two_zones_failover", "VOL-15", "CP-02", "CU-03", "K8S-B18"),
		func(ctx context.Context, s *scenario) {
			zones := s.zones(2)
			class := s.class(ctx, workload.Immediate().AllowedIn(segmentsOf(zones...)...).Parameters(s.accessibleFrom(2)))
			claim := s.claim(ctx, class)
			s.mustBindIn(ctx, claim, zones...)
			before := s.pod(ctx, workload.PodWith(claim).In(zones[0].segment))
			s.mustRunIn(ctx, before, zones[0])
			s.write(ctx, before, s.namespace)
			s.remove(ctx, before)

			after := s.pod(ctx, workload.PodWith(claim).In(zones[1].segment))
			s.mustRunIn(ctx, after, zones[1])
			s.mustRead(ctx, after, s.namespace)
		})
}
