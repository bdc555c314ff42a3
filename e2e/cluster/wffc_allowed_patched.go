package cluster

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A class that comes to allow a zone lets the pods waiting for it run, well before the
// scheduler would look at them again by itself, which it does every five minutes.
func wffcAllowedPatched(t *suite) {
	t.it("runs a waiting pod as soon as the class allows its zone",
		verdict.Case("wffc_allowed_patched", "K8S-A10"),
		func(ctx context.Context, s *scenario) {
			zones := s.zones(2)
			class := s.class(ctx, workload.WaitForFirstConsumer().AllowedIn(zones[0].segment))
			claim := s.claim(ctx, class)
			pod := s.pod(ctx, workload.PodWith(claim).In(zones[1].segment))
			s.mustBeUnschedulable(ctx, pod, predicate.NoVolumeToBind)

			class.AllowedTopologies = workload.WaitForFirstConsumer().AllowedIn(segmentsOf(zones...)...).Object().AllowedTopologies
			s.need(s.resources().Update(ctx, class), "allowing zone %s in the class", zones[1])

			s.mustBindIn(ctx, claim, zones[1])
			s.mustRunIn(ctx, pod, zones[1])
		})
}
