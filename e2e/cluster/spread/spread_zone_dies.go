// SPDX-License-Identifier: Apache-2.0

package spread

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/machines"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// spreadZoneDies stops all nodes of a zone, and marks them as out of service. A pod whose volume is there waits until the
// zone is back. By default the dead zone counts, with no pods: the remaining zone, which has one, accepts no other with a
// skew of 1. Under nodeTaintsPolicy Honor only the remaining zone counts: it accepts the pod, but is one zone too few for a
// minDomains of 2. With KEP-5980, in a later Kubernetes, minDomains counts the dead zone, too.
func spreadZoneDies() harness.Case {
	return harness.Case{
		ID:           "spread_zone_dies",
		Text:         "keeps a pod waiting whose volume is in a zone that dies, and counts the zones that are left where nodeTaintsPolicy is Honor",
		Requirements: []string{"K8S-G25"},
		Needs:        needs.All(needs.Zones(2), needs.StopsMachines()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			dead := machines.ZoneToStop(ctx, s)
			left := topology.AllBut(s.AllZones(), dead)[0]
			b := boardOf(ctx, s, false)
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			before := pods.Create(ctx, s, workload.PodWith(claim).In(dead.Segment))
			pods.MustRunIn(ctx, s, before, dead)
			claims.MustShareZone(ctx, s, claim, before)
			b.putOn(ctx, left.Nodes, 1)
			under := func(policy *corev1.NodeInclusionPolicy, minDomains *int32) *corev1.Pod {
				constraint := over(s.Target.ZoneKey, 1, corev1.DoNotSchedule)
				constraint.NodeTaintsPolicy, constraint.MinDomains = policy, minDomains
				return b.pod(ctx, func(p *workload.Pod) *workload.Pod {
					return onNodes(p, slices.Concat(dead.Nodes, left.Nodes)...).Spreading(constraint).Withheld()
				})
			}
			honor := ptr.To(corev1.NodeInclusionPolicyHonor)

			var stopped []*machines.StoppedNode
			for _, node := range dead.Nodes {
				machine := machines.StopNode(ctx, s, node)
				machine.PutOutOfService(ctx)
				stopped = append(stopped, machine)
			}
			pods.RemoveByForce(ctx, s, before)
			after := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustBeUnschedulable(ctx, s, after, predicate.OtherTopology, predicate.Tainted)

			for _, waits := range []*corev1.Pod{under(nil, nil), under(honor, ptr.To[int32](2))} {
				pods.MustBeUnschedulable(ctx, s, waits, predicate.NoSpread, predicate.Tainted)
				pods.Remove(ctx, s, waits)
			}
			b.mustGoTo(ctx, under(honor, nil), left)

			for _, machine := range stopped {
				machine.Start(ctx)
			}
			pods.RunsAgain(ctx, s, "K8S-G25", after, dead)
		},
	}
}
