// SPDX-License-Identifier: Apache-2.0

package spread

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A pod's volume is in the zone that has the most pods already: the volume allows no other zone, the constraint not this one.
// A constraint that is only a preference gives way to the volume.
func spreadExistingVolume() harness.Case {
	return harness.Case{
		ID:           "spread_existing_volume",
		Text:         "leaves a pod pending whose volume is where it makes too much skew, and runs it if the constraint is a preference",
		Requirements: []string{"K8S-G17"},
		Needs:        harness.Zones(3),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(3)
			claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.Immediate().AllowedIn(zones[0].Segment)))
			s.MustBindIn(ctx, claim, zones[0])
			board{Scenario: s}.put(ctx, zones, 2, 1, 1)
			shape := func(when corev1.UnsatisfiableConstraintAction) *workload.Pod {
				return workload.PodWith(claim).InAny(harness.SegmentsOf(zones...)...).Spreading(over(s.Target.ZoneKey, 1, when))
			}

			waits := s.CreatePod(ctx, shape(corev1.DoNotSchedule))
			s.MustBeUnschedulable(ctx, waits, predicate.NoSpread, predicate.OtherTopology)
			s.Remove(ctx, waits)

			runs := s.CreatePod(ctx, shape(corev1.ScheduleAnyway))
			s.MustRunIn(ctx, runs, zones[0])
		},
	}
}
