package cluster

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The same pods as under DoNotSchedule, with a constraint that is only a preference: the
// third goes to a zone that has room for its volume.
func spreadScheduleAnyway(t *suite) {
	t.it("runs every pod where there is room when the spread is only preferred",
		verdict.Case("spread_schedule_anyway", "K8S-E1", "K8S-G18"),
		func(ctx context.Context, s *scenario) {
			const replicas, maxSkew = 3, 1
			zones := s.zones(3)
			s.fill(ctx, zones[2])
			class := s.class(ctx, workload.WaitForFirstConsumer())
			s.statefulSet(ctx, workload.StatefulSetOf(class, replicas).In(segmentsOf(zones...)...).
				Spread(s.target.ZoneKey, maxSkew, corev1.ScheduleAnyway))

			pods := s.mustRunAll(ctx, replicas)
			s.mustBeSpread(ctx, pods, zones[:2], maxSkew)
		})
}
