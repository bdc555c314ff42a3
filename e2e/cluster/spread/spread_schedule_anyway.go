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
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// spreadScheduleAnyway creates the same pods as under DoNotSchedule, with a constraint
// that is only a preference: the third goes to a zone that has room for its volume.
func spreadScheduleAnyway() harness.Case {
	return harness.Case{
		ID:           "spread_schedule_anyway",
		Text:         "runs every pod where there is room when the spread is only preferred",
		Requirements: []string{"K8S-E1", "K8S-G18"},
		Needs:        needs.All(needs.Zones(3), needs.Exhaustion()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const replicas, maxSkew = 3, 1
			zones := s.Zones(3)
			room.Fill(ctx, s, zones[2])
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
			pods.CreateStatefulSet(ctx, s, workload.StatefulSetOf(class, replicas).In(topology.SegmentsOf(zones...)...).
				Spread(s.Target.ZoneKey, maxSkew, corev1.ScheduleAnyway))

			running := pods.MustRunAll(ctx, s, replicas)
			pods.MustBeSpread(ctx, s, running, zones[:2], maxSkew)
		},
	}
}
