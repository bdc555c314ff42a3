// SPDX-License-Identifier: Apache-2.0

package spread

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// spreadTwoConstraints returns the documentation's examples of one constraint and two, over zones and over nodes, with two
// nodes of one zone and one of another; the pods can use no other node, so no other is a domain.
func spreadTwoConstraints() []harness.Case {
	var cases []harness.Case
	for _, v := range variants() {
		cases = append(cases, spreadOneOfTwo(v), spreadBoth(v), spreadConflict(v))
	}
	return cases
}

// twoZones returns a zone with two nodes and another with one, without their other nodes.
func twoZones(s *harness.Scenario) (large, small topology.Zone) {
	large = s.ZoneWithNodes(2)
	small = topology.AllBut(s.AllZones(), large)[0]
	large.Nodes, small.Nodes = large.Nodes[:2], small.Nodes[:1]
	return large, small
}

// onNodes keeps the pod on the nodes.
func onNodes(p *workload.Pod, nodes ...topology.Node) *workload.Pod {
	var segments []workload.Segment
	for _, n := range nodes {
		segments = append(segments, workload.Segment{corev1.LabelHostname: n.Hostname})
	}
	return p.InAny(segments...)
}

// spreadOneOfTwo starts with two pods in the small zone, and one in the large, on one of its nodes.
func spreadOneOfTwo(v variant) harness.Case {
	return harness.Case{
		ID:           "spread_two_constraints_one" + v.suffix,
		Text:         "sends " + v.words + " to the zone with fewer pods, or to the node without any, as its constraint says",
		Requirements: []string{"K8S-G7"},
		Needs:        needs.All(needs.Zones(2), needs.NodesInZone(2)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			large, small := twoZones(s)
			nodes := slices.Concat(small.Nodes, large.Nodes)
			b := boardOf(ctx, s, v.volumes)
			b.putOn(ctx, nodes, 2, 1)
			for _, example := range []struct {
				label string
				wants []topology.Node
			}{{s.Target.ZoneKey, large.Nodes}, {corev1.LabelHostname, large.Nodes[1:]}} {
				pod := b.pod(ctx, func(p *workload.Pod) *workload.Pod {
					return onNodes(p, nodes...).Preferring(small.Segment).Spreading(over(example.label, 1, corev1.DoNotSchedule))
				})
				b.mustRunIn(ctx, pod, large)
				s.Check(predicate.PodRunsOn(pod, topology.NodeNames(example.wants...)))
				pods.Remove(ctx, s, pod) // the next one must meet the same pods
			}
		},
	}
}

// spreadBoth starts with the same pods: both constraints together allow only one node.
func spreadBoth(v variant) harness.Case {
	return harness.Case{
		ID:           "spread_two_constraints_both" + v.suffix,
		Text:         "sends " + v.words + " to the one node that satisfies two constraints",
		Requirements: []string{"K8S-G8"},
		Needs:        needs.All(needs.Zones(2), needs.NodesInZone(2)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			large, small := twoZones(s)
			nodes := slices.Concat(small.Nodes, large.Nodes)
			b := boardOf(ctx, s, v.volumes)
			b.putOn(ctx, nodes, 2, 1)

			pod := b.pod(ctx, func(p *workload.Pod) *workload.Pod {
				return onNodes(p, nodes...).Preferring(small.Segment).Spreading(
					over(s.Target.ZoneKey, 1, corev1.DoNotSchedule), over(corev1.LabelHostname, 1, corev1.DoNotSchedule))
			})

			b.mustRunIn(ctx, pod, large)
			s.Check(predicate.PodRunsOn(pod, []string{large.Nodes[1].Name}))
		},
	}
}

// spreadConflict starts with fewer pods in the small zone, on a node that has at least as many as the others: the two
// constraints allow no node; if one is a preference, they allow one.
func spreadConflict(v variant) harness.Case {
	return harness.Case{
		ID:           "spread_two_constraints_conflict" + v.suffix,
		Text:         "leaves " + v.words + " pending under two constraints in conflict, and runs it if one of them is a preference",
		Requirements: []string{"K8S-G9"},
		Needs:        needs.All(needs.Zones(2), needs.NodesInZone(2)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			large, small := twoZones(s)
			nodes := slices.Concat(large.Nodes, small.Nodes)
			b := boardOf(ctx, s, v.volumes)
			b.putOn(ctx, nodes, 2, 1, 2)
			under := func(when corev1.UnsatisfiableConstraintAction) *corev1.Pod {
				return b.pod(ctx, func(p *workload.Pod) *workload.Pod {
					return onNodes(p, nodes...).Spreading(over(s.Target.ZoneKey, 1, when), over(corev1.LabelHostname, 1, corev1.DoNotSchedule))
				})
			}

			pods.MustBeUnschedulable(ctx, b.Scenario, under(corev1.DoNotSchedule), predicate.NoSpread)

			runs := under(corev1.ScheduleAnyway)
			b.mustRunIn(ctx, runs, large)
			s.Check(predicate.PodRunsOn(runs, []string{large.Nodes[1].Name}))
		},
	}
}
