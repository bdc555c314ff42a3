// SPDX-License-Identifier: Apache-2.0

package spread

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// spreadIgnoresMissingKeys places a pod with the label of matchLabelKeys and one without in the first zone, which further
// pods prefer. For a pod that lacks the label, both count, which is too many for a skew of 2. For a pod with its own value,
// neither counts, and it can run there.
func spreadIgnoresMissingKeys() harness.Case {
	return harness.Case{
		ID:           "spread_ignores_missing_keys",
		Text:         "counts all the pods that labelSelector selects when a pod lacks the label of matchLabelKeys",
		Requirements: []string{"K8S-G22"},
		Needs:        needs.Zones(2),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const label = "revision"
			zones := s.Zones(2)
			b := boardOf(ctx, s, false)
			b.put(ctx, zones, 1)
			pods.MustBeScheduled(ctx, s, pods.Create(ctx, s, workload.SleepingPod().In(zones[0].Segment).Labelled(label, "1").Withheld()))
			shape := func() *workload.Pod {
				constraint := over(s.Target.ZoneKey, 2, corev1.DoNotSchedule)
				constraint.MatchLabelKeys = []string{label}
				return workload.SleepingPod().InAny(topology.SegmentsOf(zones...)...).Preferring(zones[0].Segment).Spreading(constraint).Withheld()
			}

			lacks := pods.Create(ctx, s, shape())
			b.mustGoTo(ctx, lacks, zones[1])
			pods.Remove(ctx, s, lacks)

			// Only the first zone is left, because a preference might be outweighed.
			b.block(ctx, zones[1])
			b.mustGoTo(ctx, pods.Create(ctx, s, b.unblocked(shape()).Labelled(label, "2")), zones[0])
		},
	}
}
