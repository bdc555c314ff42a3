// SPDX-License-Identifier: Apache-2.0

package scheduling

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/schedulers"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// scoring returns the feature gates with which a scheduler compares the room of the nodes that a pod fits on: none from
// Kubernetes 1.37 on, where it does so by default.
func scoring(s *harness.Scenario) []string {
	if s.KubernetesIs(scoresSince) {
		return nil
	}
	return []string{"StorageCapacityScoring=true"}
}

// scoresSince is the minor version of Kubernetes that first compares room by default.
const scoresSince = "1.37"

// point is one point of the shape with which the scheduler scores nodes: the score, from 0 to 10, of a node if the claims
// take the given percentage of its room.
type point struct {
	Utilization int `json:"utilization"`
	Score       int `json:"score"`
}

// schedulerScoresCapacity shows that with StorageCapacityScoring a pod goes to the zone with the most free room, or to the
// one that the scheduler's shape prefers. No other plugin takes part. A claim takes a quarter of one zone, and half of the
// other.
func schedulerScoresCapacity() []harness.Case {
	var cases []harness.Case
	for _, c := range []struct {
		id, text string
		shape    []point
		claims   int
		roomy    bool
	}{
		{"scheduler_scores_capacity", "prefers the zone with the most room, with StorageCapacityScoring", nil, 1, true},
		{
			"scheduler_scores_capacity_reversed", "prefers the zone with the least room that suffices, with StorageCapacityScoring and a shape that says so",
			[]point{{0, 0}, {100, 10}}, 1, false,
		},
		{
			// Each claim alone would be best where it takes a quarter.
			"scheduler_scores_capacity_summed", "compares what the claims of a pod take together, with StorageCapacityScoring",
			[]point{{0, 10}, {50, 0}, {100, 10}}, 2, false,
		},
	} {
		cases = append(cases, harness.Case{
			ID: c.id, Text: c.text, Requirements: []string{"K8S-E14"},
			Needs: needs.All(needs.Zones(2), needs.OwnScheduler()),
			Run: func(ctx context.Context, s *harness.Scenario) {
				const times = 3
				zones := s.Zones(2)
				scheduler := schedulers.Start(ctx, s, schedulers.Scheduling{
					Gates: scoring(s), ScoredBy: "VolumeBinding", VolumeBinding: map[string]any{"shape": c.shape},
				})
				driver := standin.Create(ctx, s, true)
				// Each zone has the most room once, so that no order of nodes explains the result.
				for i, roomy := range zones {
					tight := zones[1-i]
					class := driver.CreateClass(ctx)
					standin.CreateCapacity(ctx, s, class, standin.Capacity{Nodes: standin.In(roomy), Bytes: gi(20)})
					standin.CreateCapacity(ctx, s, class, standin.Capacity{Nodes: standin.In(tight), Bytes: gi(10)})
					wanted := tight
					if c.roomy {
						wanted = roomy
					}
					for range times {
						var mounted []*corev1.PersistentVolumeClaim
						for range c.claims {
							mounted = append(mounted, claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(5))))
						}
						pod := workload.PodWith(mounted[0]).ScheduledBy(scheduler.Name)
						for _, more := range mounted[1:] {
							pod.And(more)
						}
						pods.Create(ctx, s, pod)
						for _, claim := range mounted {
							claims.MustSelect(ctx, s, claim, wanted)
						}
					}
				}
			},
		})
	}
	return cases
}
