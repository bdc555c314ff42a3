// SPDX-License-Identifier: Apache-2.0

package spread

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// spreadDoNotSchedule fills the zone that the spread constraint requires next: under DoNotSchedule the pod stays pending,
// and the scheduler names both reasons.
func spreadDoNotSchedule() harness.Case {
	return harness.Case{
		ID:           "spread_do_not_schedule",
		Text:         "leaves the pod pending that only a full zone could take without more skew",
		Requirements: []string{"K8S-E1", "K8S-G18"},
		Needs:        needs.All(needs.Zones(3), needs.Exhaustion()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const replicas, maxSkew = 3, 1
			zones := s.Zones(3)
			room.Fill(ctx, s, zones[2])
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
			pods.CreateStatefulSet(ctx, s, workload.StatefulSetOf(class, replicas).In(topology.SegmentsOf(zones...)...).
				Spread(s.Target.ZoneKey, maxSkew, corev1.DoNotSchedule))

			running := pods.MustRunAllButOne(ctx, s, replicas, predicate.NoSpread, predicate.NoStorage)
			pods.MustBeSpread(ctx, s, running, zones[:2], maxSkew-1)
		},
	}
}
