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

// spreadExistingVolume creates a pod whose volume is in the zone that already has the most pods: the volume allows no other
// zone, and the constraint forbids this one. A constraint that is only a preference yields to the volume.
func spreadExistingVolume() harness.Case {
	return harness.Case{
		ID:           "spread_existing_volume",
		Text:         "leaves a pod pending whose volume is where it makes too much skew, and runs it if the constraint is a preference",
		Requirements: []string{"K8S-G17"},
		Needs:        needs.Zones(3),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(3)
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate().AllowedIn(zones[0].Segment)))
			claims.MustBindIn(ctx, s, claim, zones[0])
			board{Scenario: s}.put(ctx, zones, 2, 1, 1)
			shape := func(when corev1.UnsatisfiableConstraintAction) *workload.Pod {
				return workload.PodWith(claim).InAny(topology.SegmentsOf(zones...)...).Spreading(over(s.Target.ZoneKey, 1, when))
			}

			waits := pods.Create(ctx, s, shape(corev1.DoNotSchedule))
			pods.MustBeUnschedulable(ctx, s, waits, predicate.NoSpread, predicate.OtherTopology)
			pods.Remove(ctx, s, waits)

			runs := pods.Create(ctx, s, shape(corev1.ScheduleAnyway))
			pods.MustRunIn(ctx, s, runs, zones[0])
		},
	}
}
