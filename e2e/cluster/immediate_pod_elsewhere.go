package cluster

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that was made before its pod does not move: a pod that must be elsewhere is
// refused, and the scheduler says that it is because of the volume.
func immediatePodElsewhere(t *suite) {
	t.it("refuses a pod that must be in another zone than its volume",
		verdict.Case("immediate_pod_elsewhere", "PC-03", "VOL-16", "K8S-A5"),
		func(ctx context.Context, s *scenario) {
			zones := s.zones(2)
			claim := s.claim(ctx, s.class(ctx, workload.Immediate().AllowedIn(zones[0].segment)))
			s.mustBindIn(ctx, claim, zones[0])
			pod := s.pod(ctx, workload.PodWith(claim).In(zones[1].segment))

			s.mustBeUnschedulable(ctx, pod, predicate.OtherTopology)
			s.check(predicate.AccessibleExactlyFrom(s.volumeOf(ctx, claim), zones[0].segment))
		})
}
