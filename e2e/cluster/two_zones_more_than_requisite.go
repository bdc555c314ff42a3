package cluster

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// x > n: with strict topology the provisioner asks for the selected node's topology alone;
// a volume for two has that one, and a second that the driver chose.
func twoZonesMoreThanRequisite(t *suite) {
	t.it("adds a topology of the driver's choice to the one in requisite",
		verdict.Case("two_zones_more_than_requisite", "TR-15", "TR-16", "TR-18", "K8S-C7"),
		func(ctx context.Context, s *scenario) {
			all := s.allZones(2)
			last := all[len(all)-1]
			claim := s.claim(ctx, s.class(ctx, workload.WaitForFirstConsumer().Parameters(s.accessibleFrom(2))))
			pod := s.pod(ctx, workload.PodWith(claim).In(last.segment))

			s.check(predicate.AccessibleFromSome(s.mustBind(ctx, claim), 2, segmentsOf(last), segmentsOf(all...)))
			s.mustRunIn(ctx, pod, last)
		})
}
