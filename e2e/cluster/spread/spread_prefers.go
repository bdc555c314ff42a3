// SPDX-License-Identifier: Apache-2.0

package spread

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/schedulers"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// spreadPrefers starts with 2/2/0 pods, and creates two more, one after the other, which prefer the first zone. The
// scheduler compares nodes only by their spread, without other plugins, and the pods can only use one node of each zone:
// the third zone scores highest both times.
func spreadPrefers() harness.Case {
	return harness.Case{
		ID:           "spread_prefers",
		Text:         "sends pods to the zone with the fewest, of 2, 2 and 0, if the constraint is a preference and nothing else compares nodes",
		Requirements: []string{"K8S-G23"},
		Needs:        needs.All(needs.Zones(3), needs.OwnScheduler()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(3)
			var nodes []topology.Node
			for _, zone := range zones {
				nodes = append(nodes, zone.Nodes[0])
			}
			scheduler := schedulers.Start(ctx, s, schedulers.Scheduling{ScoredBy: "PodTopologySpread"})
			b := boardOf(ctx, s, false)
			b.putOn(ctx, nodes, 2, 2)

			for range 2 {
				b.mustGoTo(ctx, pods.Create(ctx, s, onNodes(workload.SleepingPod(), nodes...).Preferring(zones[0].Segment).
					Spreading(over(s.Target.ZoneKey, 1, corev1.ScheduleAnyway)).ScheduledBy(scheduler.Name).Withheld()), zones[2])
			}
		},
	}
}
