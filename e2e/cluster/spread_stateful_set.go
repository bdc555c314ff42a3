package cluster

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Six pods over three zones with a skew of at most one are two in each, and so are their
// volumes.
func spreadStatefulSet(t *suite) {
	t.it("spreads six pods of a StatefulSet and their volumes two to each of three zones",
		verdict.Case("spread_stateful_set", "PC-03", "K8S-G20"),
		func(ctx context.Context, s *scenario) {
			const replicas, maxSkew = 6, 1
			zones := s.zones(3)
			class := s.class(ctx, workload.WaitForFirstConsumer())
			s.statefulSet(ctx, workload.StatefulSetOf(class, replicas).In(segmentsOf(zones...)...).
				Spread(s.target.ZoneKey, maxSkew, corev1.DoNotSchedule))

			pods := s.mustRunAll(ctx, replicas)
			s.mustBeSpread(ctx, pods, zones, maxSkew)
		})
}
