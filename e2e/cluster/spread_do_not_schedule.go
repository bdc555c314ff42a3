package cluster

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The zone that the spread constraint wants next has no room for a volume: under
// DoNotSchedule the pod stays pending, and the scheduler names both reasons.
func spreadDoNotSchedule(t *suite) {
	t.it("leaves the pod pending that only a full zone could take without more skew",
		verdict.Case("spread_do_not_schedule", "K8S-E1", "K8S-G18"),
		func(ctx context.Context, s *scenario) {
			const replicas, maxSkew = 3, 1
			zones := s.zones(3)
			s.fill(ctx, zones[2])
			class := s.class(ctx, workload.WaitForFirstConsumer())
			s.statefulSet(ctx, workload.StatefulSetOf(class, replicas).In(segmentsOf(zones...)...).
				Spread(s.target.ZoneKey, maxSkew, corev1.DoNotSchedule))

			running := s.mustRunAllButOne(ctx, replicas, predicate.NoSpread, predicate.NoStorage)
			s.mustBeSpread(ctx, running, zones[:2], maxSkew-1)
		})
}
