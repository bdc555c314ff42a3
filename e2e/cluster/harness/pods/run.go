// SPDX-License-Identifier: Apache-2.0

package pods

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// MustFail waits for the kubelet to fail the pod for this reason. If it does not, that is a warning by the requirement,
// and the result is false.
func MustFail(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, requirement, reason string, limit time.Duration) bool {
	failed := s.PlatformMust(ctx, limit, requirement, "pod "+pod.Name+" failed by its kubelet", s.Look(pod, func() error {
		return predicate.PodFailed(pod, reason)
	}))
	suite.Evidence(ctx, "status of pod "+pod.Name, pod.Status)
	return failed
}

// MustGoOn fails the case unless the pod is the same as when it was last read, and its containers have run ever since.
func MustGoOn(ctx context.Context, s *harness.Scenario, pod *corev1.Pod) {
	before := pod.DeepCopy()
	s.Need(s.Reread(ctx, pod), "looking at the pod again")
	s.Check(predicate.WentOn(before, pod))
}

// MustRun waits for the pod to be ready.
func MustRun(ctx context.Context, s *harness.Scenario, pod *corev1.Pod) {
	s.Until(ctx, s.Target.Timeouts.Run, "pod "+pod.Name+" ready", s.Look(pod, func() error {
		return predicate.PodRuns(pod)
	}))
	suite.Evidence(ctx, "pod "+pod.Name, map[string]string{"node": pod.Spec.NodeName, "zone": s.ZoneOf(pod).Name})
}

// MustRunIn waits for the pod to be ready on a node of one of the zones.
func MustRunIn(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, zones ...topology.Zone) {
	MustRun(ctx, s, pod)
	var nodes []string
	for _, z := range zones {
		nodes = append(nodes, z.NodeNames()...)
	}
	s.Check(predicate.PodRunsOn(pod, nodes))
}

// MustBeScheduled waits for the pods to have nodes.
func MustBeScheduled(ctx context.Context, s *harness.Scenario, pods ...*corev1.Pod) {
	for _, pod := range pods {
		s.Until(ctx, s.Target.Timeouts.Run, "pod "+pod.Name+" scheduled", s.Look(pod, func() error {
			return predicate.PodScheduled(pod)
		}))
	}
}

// MustBeUnschedulable waits for the scheduler to refuse the pod for each of the reasons.
func MustBeUnschedulable(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, reasons ...predicate.Reason) {
	s.Until(ctx, s.Target.Timeouts.Schedule, "pod "+pod.Name+" refused by the scheduler", s.Look(pod, func() error {
		return predicate.PodUnschedulable(pod, reasons...)
	}))
	suite.Evidence(ctx, "refusal of pod "+pod.Name, pod.Status.Conditions)
}

// MustNotBeRefused waits for the pod to have a node. It fails the case if the scheduler keeps refusing it for one of
// the reasons.
func MustNotBeRefused(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, reasons ...predicate.Reason) {
	s.Until(ctx, s.Target.Timeouts.Run, "pod "+pod.Name+" scheduled", s.Look(pod, func() error {
		return predicate.PodNotRefused(pod, reasons...)
	}))
}
