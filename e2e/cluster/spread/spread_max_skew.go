// SPDX-License-Identifier: Apache-2.0

package spread

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// spreadMaxSkew returns the examples for maxSkew in the documentation of TopologySpreadConstraint: pods are in three zones
// already, and one more is created, which prefers the first. If it is expected there, the other zones are blocked for it,
// because a preference might be outweighed.
func spreadMaxSkew() []harness.Case {
	var cases []harness.Case
	for _, example := range []struct {
		id, text  string
		behaviour string
		pods      []int
		maxSkew   int32
		wants     []int // zones, by their index
	}{
		{"221_1", "sends %s that prefers the first zone to the one with the fewest pods, of 2, 2 and 1, with a skew of 1", "K8S-G1", []int{2, 2, 1}, 1, []int{2}},
		{"311_1", "sends %s that prefers the first zone to one with fewer pods, of 3, 1 and 1, with a skew of 1", "K8S-G3", []int{3, 1, 1}, 1, []int{1, 2}},
	} {
		for _, v := range variants() {
			cases = append(cases, harness.Case{
				ID:           "spread_max_skew_" + example.id + v.suffix,
				Text:         fmt.Sprintf(example.text, v.words),
				Requirements: []string{example.behaviour},
				Needs:        needs.Zones(3),
				Run: func(ctx context.Context, s *harness.Scenario) {
					zones := s.Zones(3)
					b := boardOf(ctx, s, v.volumes)
					b.put(ctx, zones, example.pods...)

					pod := b.pod(ctx, func(p *workload.Pod) *workload.Pod {
						return p.InAny(topology.SegmentsOf(zones...)...).Preferring(zones[0].Segment).
							Spreading(over(s.Target.ZoneKey, example.maxSkew, corev1.DoNotSchedule))
					})

					b.mustRunIn(ctx, pod, pick(zones, example.wants)...)
				},
			})
		}
	}
	return slices.Concat(cases, spreadMaxSkewBlocked())
}

// spreadMaxSkewBlocked allows the pod only in the first zone. With 2, 2 and 1 pods and a skew of 1, and with 3, 1 and
// 1, DoNotSchedule keeps it waiting; a skew of 2 lets it run, and so does ScheduleAnyway.
func spreadMaxSkewBlocked() []harness.Case {
	var cases []harness.Case
	for _, example := range []struct {
		id, text  string
		behaviour string
		pods      []int
		maxSkew   int32
		when      corev1.UnsatisfiableConstraintAction
		runs      bool
	}{
		{"221_1_blocked", "leaves %s pending that could only join two others, of 2, 2 and 1, with a skew of 1", "K8S-G1", []int{2, 2, 1}, 1, corev1.DoNotSchedule, false},
		{"221_2", "lets %s join two others, of 2, 2 and 1, with a skew of 2", "K8S-G2", []int{2, 2, 1}, 2, corev1.DoNotSchedule, true},
		{"311_blocked", "leaves %s pending that can be in no zone without more skew", "K8S-G4", []int{3, 1, 1}, 1, corev1.DoNotSchedule, false},
		{"311_anyway", "runs %s where it makes more skew, if the constraint is only a preference", "K8S-G4", []int{3, 1, 1}, 1, corev1.ScheduleAnyway, true},
	} {
		for _, v := range variants() {
			cases = append(cases, harness.Case{
				ID: "spread_max_skew_" + example.id + v.suffix, Text: fmt.Sprintf(example.text, v.words),
				Requirements: []string{example.behaviour}, Needs: needs.Zones(3),
				Run: func(ctx context.Context, s *harness.Scenario) {
					zones := s.Zones(3)
					b := boardOf(ctx, s, v.volumes)
					b.put(ctx, zones, example.pods...)
					b.block(ctx, zones[1:]...)

					pod := b.pod(ctx, func(p *workload.Pod) *workload.Pod {
						return b.unblocked(p).InAny(topology.SegmentsOf(zones...)...).Spreading(over(s.Target.ZoneKey, example.maxSkew, example.when))
					})

					if example.runs {
						b.mustRunIn(ctx, pod, zones[0])
					} else {
						pods.MustBeUnschedulable(ctx, b.Scenario, pod, predicate.NoSpread, predicate.AntiAffinity)
					}
				},
			})
		}
	}
	return cases
}

func pick(zones []topology.Zone, indexes []int) []topology.Zone {
	var picked []topology.Zone
	for _, i := range indexes {
		picked = append(picked, zones[i])
	}
	return picked
}
