package cluster

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Requisite is two topologies, from one term with two values for the zone: a volume for
// one topology is in either of them, and in no other.
func immediateTwoZones(t *suite) {
	t.it("makes the volume in one of the two allowed zones, and its pod follows",
		verdict.Case("immediate_two_zones", "TR-04", "TR-11", "TR-13", "K8S-A4", "K8S-A8", "K8S-C4"),
		func(ctx context.Context, s *scenario) {
			allowed := s.neighbours(3)[1:]
			values := map[string][]string{}
			for key, value := range allowed[0].segment {
				values[key] = []string{value}
			}
			values[s.target.ZoneKey] = zoneNames(allowed...)
			claim := s.claim(ctx, s.class(ctx, workload.Immediate().AllowedValues(values)))

			s.check(predicate.AccessibleFromSome(s.mustBind(ctx, claim), 1, nil, segmentsOf(allowed...)))

			pod := s.pod(ctx, workload.PodWith(claim))
			s.mustRunIn(ctx, pod, allowed...)
			s.mustShareZone(ctx, claim, pod)
		})
}
