package cluster

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A spread constraint counts zones in which the class allows no volume: a set over three
// zones, two of them allowed, stops at one pod in each. The scheduler says so.
func spreadIgnoresAllowedTopologies(t *suite) {
	t.it("leaves a pod pending when the next zone of its spread is not one of the class",
		verdict.Case("spread_ignores_allowed_topologies", "K8S-G16"),
		func(ctx context.Context, s *scenario) {
			const replicas, maxSkew = 3, 1
			zones := s.zones(3)
			class := s.class(ctx, workload.WaitForFirstConsumer().AllowedIn(segmentsOf(zones[:2]...)...))
			s.statefulSet(ctx, workload.StatefulSetOf(class, replicas).In(segmentsOf(zones...)...).
				Spread(s.target.ZoneKey, maxSkew, corev1.DoNotSchedule))

			running := s.mustRunAllButOne(ctx, replicas, predicate.NoSpread, predicate.NoVolumeToBind)
			s.mustBeSpread(ctx, running, zones[:2], maxSkew-1)
		})
}
