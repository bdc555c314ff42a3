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
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// spreadTerminating shows that terminating pods no longer count, although they still run: of 2, 1 and 1 pods the first two
// terminate, and the next pod, which prefers the second zone, can only replace them. When the pods of the other zones
// terminate too, the remaining pods stay, regardless of the skew: the constraint applies when pods are scheduled, not when
// they end.
func spreadTerminating() harness.Case {
	return harness.Case{
		ID:           "spread_terminating",
		Text:         "does not count terminating pods, and moves none when a skew is left behind",
		Requirements: []string{"K8S-G15"},
		Needs:        needs.Zones(3),
		Long:         true,
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(3)
			b := boardOf(ctx, s, false)
			var ending, others []*corev1.Pod
			for range 2 {
				ending = append(ending, pods.Create(ctx, s, workload.SleepingPod().In(zones[0].Segment).Lingering()))
			}
			for _, zone := range zones[1:] {
				others = append(others, pods.Create(ctx, s, workload.SleepingPod().In(zone.Segment).Withheld()))
			}
			pods.MustBeScheduled(ctx, s, others...)
			for _, pod := range ending {
				pods.MustRun(ctx, s, pod)
				s.Need(s.Resources().Delete(ctx, pod), "deleting pod %s", pod.Name)
			}

			next := pods.Create(ctx, s, workload.SleepingPod().InAny(topology.SegmentsOf(zones...)...).Preferring(zones[1].Segment).
				Spreading(over(s.Target.ZoneKey, 1, corev1.DoNotSchedule)))
			b.mustRunIn(ctx, next, zones[0])
			for _, pod := range ending {
				if s.Need(s.Reread(ctx, pod), "looking at a pod that is ending"); pod.DeletionTimestamp == nil {
					suite.CouldNotTell("pod %s was deleted and is not ending", pod.Name)
				}
				pods.RemoveNow(ctx, s, pod)
			}

			b.put(ctx, zones, 1)
			for _, pod := range others {
				pods.Remove(ctx, s, pod)
			}
			pods.MustGoOn(ctx, s, next)
		},
	}
}
