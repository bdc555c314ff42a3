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

// spreadNodeAffinity starts with 2/1/0 pods, and the pod's own node affinity excludes the third zone: by default that zone
// is then no domain, and under Ignore it is a domain with no pods.
func spreadNodeAffinity() []harness.Case {
	var cases []harness.Case
	for _, v := range variants() {
		cases = append(cases, harness.Case{
			ID:           "spread_node_affinity" + v.suffix,
			Text:         "counts no zone that the node affinity of " + v.words + " excludes, unless nodeAffinityPolicy is Ignore",
			Requirements: []string{"K8S-G10"},
			Needs:        needs.Zones(3),
			Run: func(ctx context.Context, s *harness.Scenario) {
				zones := s.Zones(3)
				b := boardOf(ctx, s, v.volumes)
				b.put(ctx, zones, 2, 1)
				under := func(policy *corev1.NodeInclusionPolicy) *corev1.Pod {
					constraint := over(s.Target.ZoneKey, 1, corev1.DoNotSchedule)
					constraint.NodeAffinityPolicy = policy
					return b.pod(ctx, func(p *workload.Pod) *workload.Pod {
						return p.InAny(topology.SegmentsOf(zones[:2]...)...).Preferring(zones[0].Segment).Spreading(constraint)
					})
				}
				ignore, honor := corev1.NodeInclusionPolicyIgnore, corev1.NodeInclusionPolicyHonor

				pods.MustBeUnschedulable(ctx, b.Scenario, under(&ignore), predicate.NoSpread)

				for _, policy := range []*corev1.NodeInclusionPolicy{&honor, nil} {
					pod := under(policy)
					b.mustRunIn(ctx, pod, zones[1])
					pods.Remove(ctx, s, pod)
				}
			},
		})
	}
	return cases
}
