// SPDX-License-Identifier: Apache-2.0

package spread

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// spreadIgnoresAllowedTopologies shows that a spread constraint counts zones in which the class allows no volume: a set
// over three zones, two of them allowed, stops at one pod in each. The scheduler reports this.
func spreadIgnoresAllowedTopologies() harness.Case {
	return harness.Case{
		ID:           "spread_ignores_allowed_topologies",
		Text:         "leaves a pod pending when the next zone of its spread is not one of the class",
		Requirements: []string{"K8S-G16"},
		Needs:        needs.Zones(3),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const replicas, maxSkew = 3, 1
			zones := s.Zones(3)
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer().AllowedIn(topology.SegmentsOf(zones[:2]...)...))
			pods.CreateStatefulSet(ctx, s, workload.StatefulSetOf(class, replicas).In(topology.SegmentsOf(zones...)...).
				Spread(s.Target.ZoneKey, maxSkew, corev1.DoNotSchedule))

			running := pods.MustRunAllButOne(ctx, s, replicas, predicate.NoSpread, predicate.NoVolumeToBind)
			pods.MustBeSpread(ctx, s, running, zones[:2], maxSkew-1)
		},
	}
}
