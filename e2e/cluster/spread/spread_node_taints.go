// SPDX-License-Identifier: Apache-2.0

package spread

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodes"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// spreadNodeTaints starts with 1/1/0 pods, and all nodes of the third zone have a taint: by default that zone is still a
// domain, with no pods; under Honor it is a domain only for a pod that tolerates the taint.
func spreadNodeTaints() []harness.Case {
	var cases []harness.Case
	for _, v := range variants() {
		cases = append(cases, harness.Case{
			ID:           "spread_node_taints" + v.suffix,
			Text:         "counts a tainted zone for " + v.words + " unless nodeTaintsPolicy is Honor and the taint is not tolerated",
			Requirements: []string{"K8S-G11"},
			Needs:        needs.All(needs.Zones(3), needs.ChangesNodes(), needs.Alone()),
			Run: func(ctx context.Context, s *harness.Scenario) {
				zones := s.Zones(3)
				b := boardOf(ctx, s, v.volumes)
				b.put(ctx, zones, 1, 1)
				taint := corev1.Taint{Key: "csi-topo/case", Value: s.Namespace, Effect: corev1.TaintEffectNoSchedule}
				nodes.Taint(ctx, s, taint, zones[2].Nodes...)
				under := func(policy *corev1.NodeInclusionPolicy, tolerations ...corev1.Taint) *corev1.Pod {
					constraint := over(s.Target.ZoneKey, 1, corev1.DoNotSchedule)
					constraint.NodeTaintsPolicy = policy
					return b.pod(ctx, func(p *workload.Pod) *workload.Pod {
						for _, tolerated := range tolerations {
							p.Tolerating(tolerated)
						}
						return p.InAny(topology.SegmentsOf(zones...)...).Preferring(zones[0].Segment).Spreading(constraint)
					})
				}
				ignore, honor := corev1.NodeInclusionPolicyIgnore, corev1.NodeInclusionPolicyHonor

				for _, policy := range []*corev1.NodeInclusionPolicy{&ignore, nil} {
					pods.MustBeUnschedulable(ctx, b.Scenario, under(policy), predicate.NoSpread, predicate.Tainted)
				}

				tolerant := under(&honor, taint)
				b.mustRunIn(ctx, tolerant, zones[2])
				pods.Remove(ctx, s, tolerant)
				b.mustRunIn(ctx, under(&honor), zones[:2]...)
			},
		})
	}
	return cases
}
