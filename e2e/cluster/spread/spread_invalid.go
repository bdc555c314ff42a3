// SPDX-License-Identifier: Apache-2.0

package spread

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// spreadInvalid changes a valid pod with two constraints in one way that makes it invalid. It asks the API server in a
// dry run, so that none of the pods is created.
func spreadInvalid() harness.Case {
	return harness.Case{
		ID:           "spread_invalid",
		Text:         "refuses a pod with constraints that lack what they need, that are the same twice, or whose matchLabelKeys do not go with labelSelector",
		Requirements: []string{"K8S-G21", "K8S-G24"},
		Run: func(ctx context.Context, s *harness.Scenario) {
			const label, value = "revision", "1"
			shape := func(change func(first, second *corev1.TopologySpreadConstraint)) *workload.Pod {
				first, second := over(s.Target.ZoneKey, 1, corev1.DoNotSchedule), over(s.Target.ZoneKey, 1, corev1.ScheduleAnyway)
				first.MatchLabelKeys = []string{label}
				change(&first, &second)
				return workload.SleepingPod().Labelled(label, value).Spreading(first, second)
			}
			s.Need(pods.TryPod(ctx, s, shape(func(_, _ *corev1.TopologySpreadConstraint) {})), "asking for a pod with valid constraints")
			for _, invalid := range []struct {
				requirement, text string
				change            func(first, second *corev1.TopologySpreadConstraint)
			}{
				{"K8S-G24", "maxSkew 0", func(first, _ *corev1.TopologySpreadConstraint) { first.MaxSkew = 0 }},
				{"K8S-G24", "no topologyKey", func(first, _ *corev1.TopologySpreadConstraint) { first.TopologyKey = "" }},
				{"K8S-G24", "no whenUnsatisfiable", func(first, _ *corev1.TopologySpreadConstraint) { first.WhenUnsatisfiable = "" }},
				{"K8S-G24", "two constraints of the same topologyKey and whenUnsatisfiable", func(first, second *corev1.TopologySpreadConstraint) {
					second.WhenUnsatisfiable = first.WhenUnsatisfiable
				}},
				{"K8S-G21", "a key of matchLabelKeys in matchLabels", func(first, _ *corev1.TopologySpreadConstraint) {
					first.LabelSelector.MatchLabels[label] = value
				}},
				{"K8S-G21", "a key of matchLabelKeys in matchExpressions", func(first, _ *corev1.TopologySpreadConstraint) {
					first.LabelSelector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: label, Operator: metav1.LabelSelectorOpIn, Values: []string{value}}}
				}},
				{"K8S-G21", "matchLabelKeys without labelSelector", func(first, _ *corev1.TopologySpreadConstraint) { first.LabelSelector = nil }},
			} {
				mustRefuse(ctx, s, invalid.requirement, "a pod with "+invalid.text, constraintsField, shape(invalid.change))
			}
		},
	}
}

// constraintsField is the field of a pod's constraints.
const constraintsField = "spec.topologySpreadConstraints"

// mustRefuse warns unless the API server refuses the pod as invalid because of this field.
func mustRefuse(ctx context.Context, s *harness.Scenario, requirement, what, field string, pod *workload.Pod) {
	answer := pods.TryPod(ctx, s, pod)
	suite.Evidence(ctx, "answer to "+what, answer)
	s.PlatformCheck(ctx, requirement, predicate.InvalidIn(field, what, answer))
}
