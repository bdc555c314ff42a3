// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// PodRuns requires every container of the pod to be ready.
func PodRuns(pod *corev1.Pod) error {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady && condition.Status == corev1.ConditionTrue {
			return nil
		}
	}
	return fmt.Errorf("pod %s is not ready: %s", pod.Name, podState(pod))
}

// NotStarted requires no container of the pod to have been started.
func NotStarted(pod *corev1.Pod) error {
	for _, container := range pod.Status.ContainerStatuses {
		if container.State.Running != nil || container.State.Terminated != nil {
			return mismatch("container "+container.Name+" of pod "+pod.Name, "not started", podState(pod))
		}
	}
	return nil
}

// PodFailed requires the pod to have failed for this reason.
func PodFailed(pod *corev1.Pod, reason string) error {
	if pod.Status.Phase != corev1.PodFailed || pod.Status.Reason != reason {
		return mismatch("end of pod "+pod.Name, "failed: "+reason, strings.TrimSpace(podState(pod)+" "+pod.Status.Reason))
	}
	return nil
}

// Uncollected returns the mismatch for a pod that should be gone from its dead node.
func Uncollected(pod *corev1.Pod) error {
	found := "it is not deleted"
	if pod.DeletionTimestamp != nil {
		found = "deleted at " + pod.DeletionTimestamp.UTC().Format(time.TimeOnly) + ", and kept"
	}
	return mismatch("pod "+pod.Name+" on node "+pod.Spec.NodeName, "gone", found)
}

// PodScheduled requires the scheduler to have given the pod a node.
func PodScheduled(pod *corev1.Pod) error {
	if pod.Spec.NodeName == "" {
		return fmt.Errorf("pod %s has no node: %s", pod.Name, podState(pod))
	}
	return nil
}

// PodWithoutNode requires the scheduler to have given the pod no node.
func PodWithoutNode(pod *corev1.Pod) error {
	if pod.Spec.NodeName != "" {
		return finalMismatch("node of pod "+pod.Name, "none", pod.Spec.NodeName)
	}
	return nil
}

// PodWaits requires the scheduler to have refused the pod, for any reason.
func PodWaits(pod *corev1.Pod) error {
	if pod.Spec.NodeName != "" {
		return finalMismatch("scheduling of pod "+pod.Name, "refused", "scheduled to node "+pod.Spec.NodeName)
	}
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodScheduled && condition.Status == corev1.ConditionFalse && condition.Reason == corev1.PodReasonUnschedulable {
			return nil
		}
	}
	return fmt.Errorf("pod %s was not judged by the scheduler: %s", pod.Name, podState(pod))
}

// PodRunsOn requires the pod to be ready, and on one of these nodes.
func PodRunsOn(pod *corev1.Pod, nodes []string) error {
	if err := PodRuns(pod); err != nil {
		return err
	}
	if !slices.Contains(nodes, pod.Spec.NodeName) {
		return mismatch("node of pod "+pod.Name, "one of "+strings.Join(nodes, ", "), pod.Spec.NodeName)
	}
	return nil
}

// Reason is the scheduler's reason for refusing a pod, in its own words.
type Reason string

// The scheduler's reasons, from pkg/scheduler/framework/plugins of Kubernetes.
const (
	OtherTopology  Reason = "didn't match PersistentVolume's node affinity"
	NoVolumeToBind Reason = "didn't find available persistent volumes to bind"
	NoStorage      Reason = "did not have enough free storage"
	NoSpread       Reason = "didn't match pod topology spread constraints"
	NoCPU          Reason = "Insufficient cpu"
	NoSpreadLabel  Reason = "didn't match pod topology spread constraints (missing required label)"
	AntiAffinity   Reason = "didn't match pod anti-affinity rules"
	Tainted        Reason = "had untolerated taint"
	Cordoned       Reason = "were unschedulable"
	TooManyVolumes Reason = "exceed max volume count"
	UnboundClaim   Reason = "unbound immediate PersistentVolumeClaims"
)

// otherTopologyEarlier is OtherTopology in the words of releases before 1.36.
const otherTopologyEarlier = "had volume node affinity conflict"

// PodUnschedulable requires the scheduler to have refused the pod for each of these reasons: these words prove a refusal; a
// pod that does not run is no proof. Another reason about storage or spread is a contradiction; other words are not.
func PodUnschedulable(pod *corev1.Pod, reasons ...Reason) error {
	for _, condition := range pod.Status.Conditions {
		if condition.Type != corev1.PodScheduled {
			continue
		}
		if condition.Status == corev1.ConditionTrue {
			return mismatch("scheduling of pod "+pod.Name, "refused: "+reasonList(reasons), "scheduled to node "+pod.Spec.NodeName)
		}
		return refusedFor(pod.Name, condition, reasons)
	}
	return fmt.Errorf("pod %s was not judged by the scheduler: %s", pod.Name, podState(pod))
}

// refusedFor requires the condition of an unscheduled pod to give each of the reasons.
func refusedFor(pod string, condition corev1.PodCondition, reasons []Reason) error {
	said := condition.Reason + ": " + condition.Message
	missing := func(reason Reason) bool { return !reason.in(condition.Message) }
	if condition.Reason == corev1.PodReasonUnschedulable && !slices.ContainsFunc(reasons, missing) {
		return nil
	}
	wanted := "Unschedulable: " + reasonList(reasons)
	for _, other := range []Reason{OtherTopology, NoVolumeToBind, NoStorage, NoSpread, TooManyVolumes} {
		if other.in(condition.Message) && !slices.Contains(reasons, other) {
			return mismatch("scheduling of pod "+pod, wanted, said)
		}
	}
	return &Unsaid{Wanted: "scheduling of pod " + pod + ": wanted " + wanted, Found: said}
}

// PodNotRefused requires the scheduler to have given the pod a node. A refusal for one of these reasons is a mismatch.
func PodNotRefused(pod *corev1.Pod, reasons ...Reason) error {
	scheduled := PodScheduled(pod)
	if scheduled == nil {
		return nil
	}
	for _, condition := range pod.Status.Conditions {
		if condition.Type != corev1.PodScheduled || condition.Reason != corev1.PodReasonUnschedulable {
			continue
		}
		if slices.ContainsFunc(reasons, func(reason Reason) bool { return reason.in(condition.Message) }) {
			return mismatch("scheduling of pod "+pod.Name, "a node, and not refused: "+reasonList(reasons), condition.Message)
		}
	}
	return scheduled
}

// SchedulingFailed requires the scheduler to have chosen a node for the pod, and then to have failed with an error that
// contains says. A scheduler that has not failed yet may still do so.
func SchedulingFailed(pod *corev1.Pod, says string) error {
	subject, wanted := "scheduling of pod "+pod.Name, "an error that says: "+says
	if pod.Spec.NodeName != "" {
		return finalMismatch(subject, wanted, "scheduled to node "+pod.Spec.NodeName)
	}
	for _, condition := range pod.Status.Conditions {
		if condition.Type != corev1.PodScheduled || condition.Reason != corev1.PodReasonSchedulerError {
			continue
		}
		if strings.Contains(condition.Message, says) {
			return nil
		}
		return &Unsaid{Wanted: subject + ": wanted " + wanted, Found: condition.Message}
	}
	return mismatch(subject, wanted, podState(pod))
}

func (r Reason) in(message string) bool {
	return strings.Contains(message, string(r)) || r == OtherTopology && strings.Contains(message, otherTopologyEarlier)
}

func reasonList(reasons []Reason) string {
	texts := make([]string, 0, len(reasons))
	for _, reason := range reasons {
		texts = append(texts, string(reason))
	}
	return strings.Join(texts, "; ")
}

func podState(pod *corev1.Pod) string {
	state := []string{"phase " + string(pod.Status.Phase)}
	if pod.Spec.NodeName != "" {
		state = append(state, "node "+pod.Spec.NodeName)
	}
	for _, condition := range pod.Status.Conditions {
		if condition.Status != corev1.ConditionTrue && condition.Message != "" {
			state = append(state, fmt.Sprintf("%s %s: %s", condition.Type, condition.Reason, condition.Message))
		}
	}
	for _, container := range pod.Status.ContainerStatuses {
		if waiting := container.State.Waiting; waiting != nil {
			state = append(state, strings.TrimSpace(fmt.Sprintf("container %s %s %s", container.Name, waiting.Reason, waiting.Message)))
		}
	}
	return strings.Join(state, "; ")
}

// PodOn requires the pod to be scheduled to one of these nodes, running or not.
func PodOn(pod *corev1.Pod, nodes []string) error {
	if !slices.Contains(nodes, pod.Spec.NodeName) {
		return mismatch("node of pod "+pod.Name, "one of "+strings.Join(nodes, ", "), fmt.Sprintf("%q", pod.Spec.NodeName))
	}
	return nil
}
