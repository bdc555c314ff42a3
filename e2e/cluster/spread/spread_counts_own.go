// SPDX-License-Identifier: Apache-2.0

package spread

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// spreadCountsOwn shows that only pods in the pod's own namespace that match the constraint's selector count, and the
// pod itself only if it matches.
func spreadCountsOwn() harness.Case {
	return harness.Case{
		ID:           "spread_counts_own",
		Text:         "counts the pods of the namespace that match the selector, and no others",
		Requirements: []string{"K8S-G14"},
		Needs:        needs.Zones(2),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			b := boardOf(ctx, s, false)
			elsewhere := s.CreateNamespace(ctx)
			// The pods can only be in the first zone, and run there as long as they count fewer than two.
			b.block(ctx, zones[1])
			shape := func() *workload.Pod {
				return b.unblocked(workload.SleepingPod()).InAny(topology.SegmentsOf(zones...)...).Spreading(over(s.Target.ZoneKey, 1, corev1.DoNotSchedule))
			}
			pods.MustBeScheduled(ctx, s,
				pods.CreateIn(ctx, s, elsewhere, workload.SleepingPod().In(zones[0].Segment).Withheld()),
				pods.Create(ctx, s, workload.SleepingPod().In(zones[0].Segment).Labelled(appLabel, "another").Withheld()))

			pods.MustRunIn(ctx, s, pods.Create(ctx, s, shape()), zones[0])                               // the other two do not count
			pods.MustRunIn(ctx, s, pods.Create(ctx, s, shape().Labelled(appLabel, "another")), zones[0]) // it does not count itself
			pods.MustBeUnschedulable(ctx, s, pods.Create(ctx, s, shape()), predicate.NoSpread, predicate.AntiAffinity)
		},
	}
}
