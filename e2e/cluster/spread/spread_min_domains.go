// SPDX-License-Identifier: Apache-2.0

package spread

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// spreadMinDomains shows that with fewer domains than minDomains the minimum counts as 0. With 2/2/2 pods and a skew of
// 2, a third pod in a zone would then be a skew of 3.
func spreadMinDomains() []harness.Case {
	var cases []harness.Case
	for _, v := range variants() {
		cases = append(cases,
			harness.Case{
				ID:           "spread_min_domains_above" + v.suffix,
				Text:         "leaves " + v.words + " pending with fewer zones than minDomains, and runs one that may use one zone more",
				Requirements: []string{"K8S-G5"},
				Needs:        needs.Zones(4),
				Run: func(ctx context.Context, s *harness.Scenario) {
					zones := s.Zones(4)
					b := boardOf(ctx, s, v.volumes)
					b.put(ctx, zones, 2, 2, 2)
					above := over(s.Target.ZoneKey, 2, corev1.DoNotSchedule)
					above.MinDomains = ptr.To[int32](4)

					waits := b.pod(ctx, func(p *workload.Pod) *workload.Pod {
						return p.InAny(topology.SegmentsOf(zones[:3]...)...).Spreading(above)
					})
					pods.MustBeUnschedulable(ctx, b.Scenario, waits, predicate.NoSpread)

					runs := b.pod(ctx, func(p *workload.Pod) *workload.Pod {
						return p.InAny(topology.SegmentsOf(zones...)...).Preferring(zones[0].Segment).Spreading(above)
					})
					b.mustRunIn(ctx, runs, zones[3])
				},
			},
			harness.Case{
				ID:           "spread_min_domains_met" + v.suffix,
				Text:         "runs " + v.words + " as without minDomains when there are as many zones",
				Requirements: []string{"K8S-G6"},
				Needs:        needs.Zones(3),
				Run: func(ctx context.Context, s *harness.Scenario) {
					zones := s.Zones(3)
					b := boardOf(ctx, s, v.volumes)
					b.put(ctx, zones, 2, 2, 2)
					met := over(s.Target.ZoneKey, 2, corev1.DoNotSchedule)
					met.MinDomains = ptr.To[int32](3)

					pod := b.pod(ctx, func(p *workload.Pod) *workload.Pod {
						return p.InAny(topology.SegmentsOf(zones...)...).Spreading(met)
					})

					b.mustRunIn(ctx, pod, zones...)
				},
			})
	}
	return append(cases, spreadMinDomainsInvalid())
}

func spreadMinDomainsInvalid() harness.Case {
	return harness.Case{
		ID:           "spread_min_domains_invalid",
		Text:         "refuses minDomains with ScheduleAnyway, and minDomains of 0",
		Requirements: []string{"K8S-G6"},
		Run: func(ctx context.Context, s *harness.Scenario) {
			for _, invalid := range []struct {
				when       corev1.UnsatisfiableConstraintAction
				minDomains int32
			}{{corev1.ScheduleAnyway, 1}, {corev1.DoNotSchedule, 0}} {
				constraint := over(s.Target.ZoneKey, 1, invalid.when)
				constraint.MinDomains = &invalid.minDomains
				mustRefuse(ctx, s, "K8S-G6", fmt.Sprintf("a pod with %s and minDomains %d", invalid.when, invalid.minDomains), constraintsField+"[0].minDomains",
					workload.SleepingPod().Spreading(constraint))
			}
		},
	}
}
