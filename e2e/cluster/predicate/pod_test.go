// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func podWith(conditions ...corev1.PodCondition) *corev1.Pod {
	pod := &corev1.Pod{}
	pod.Name = "pod-1"
	pod.Status.Phase = corev1.PodPending
	pod.Status.Conditions = conditions
	return pod
}

func refused(message string) corev1.PodCondition {
	return corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: message}
}

func runningOn(node string) *corev1.Pod {
	pod := podWith(corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionTrue},
		corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue})
	pod.Spec.NodeName = node
	return pod
}

func TestPodRunsOn(t *testing.T) {
	wantVerdict(t, PodRunsOn(runningOn("w1"), []string{"w1", "w2"}), satisfied)
	wantVerdict(t, PodRunsOn(runningOn("w3"), []string{"w1", "w2"}), differs, "w1, w2", "w3")
	starting := podWith(corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionTrue},
		corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionFalse, Message: "containers not ready"})
	wantVerdict(t, PodRunsOn(starting, []string{"w1"}), notYet, "containers not ready")
	waiting := podWith(refused("0/6 nodes are available"))
	waiting.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "workload", State: corev1.ContainerState{
		Waiting: &corev1.ContainerStateWaiting{Reason: "ContainerCreating"},
	}}}
	wantVerdict(t, PodRunsOn(waiting, []string{"w1"}), notYet, "Pending", "0/6 nodes are available", "ContainerCreating")
}

func TestUncollected(t *testing.T) {
	running := runningOn("w1")
	wantVerdict(t, Uncollected(running), differs, "w1", "it is not deleted")
	running.DeletionTimestamp = &metav1.Time{Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	wantVerdict(t, Uncollected(running), differs, "w1", "03:04:05")
}

func TestPodUnschedulable(t *testing.T) {
	tests := []struct {
		name    string
		pod     *corev1.Pod
		reasons []Reason
		want    string
	}{
		{"the scheduler has not looked", podWith(), []Reason{NoStorage}, notYet},
		{"refused for the reason", podWith(refused("0/6 nodes: 1 node(s) did not have enough free storage")), []Reason{NoStorage}, satisfied},
		{"refused for another reason", podWith(refused("0/6 nodes: 1 Insufficient cpu")), []Reason{NoStorage}, unsaid},
		{"refused for one of two reasons", podWith(refused("2 node(s) didn't match pod topology spread constraints")), []Reason{NoSpread, NoStorage}, unsaid},
		{"refused for another reason of storage", podWith(refused("1 node(s) didn't match PersistentVolume's node affinity")), []Reason{NoStorage}, differs},
		{
			"refused for both",
			podWith(refused("1 node(s) did not have enough free storage, 2 node(s) didn't match pod topology spread constraints")),
			[]Reason{NoSpread, NoStorage}, satisfied,
		},
		{"a volume elsewhere", podWith(refused("1 node(s) didn't match PersistentVolume's node affinity")), []Reason{OtherTopology}, satisfied},
		{"a volume elsewhere, before 1.36", podWith(refused("1 node(s) had volume node affinity conflict")), []Reason{OtherTopology}, satisfied},
		{"a scheduler in trouble", podWith(corev1.PodCondition{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "SchedulerError", Message: "did not have enough free storage",
		}), []Reason{NoStorage}, unsaid},
		{"scheduled", runningOn("w1"), []Reason{NoStorage}, differs},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantVerdict(t, PodUnschedulable(test.pod, test.reasons...), test.want)
		})
	}
}

func TestPodNotRefused(t *testing.T) {
	wantVerdict(t, PodNotRefused(podWith(), NoSpread), notYet)
	wantVerdict(t, PodNotRefused(podWith(refused("1 Insufficient cpu")), NoSpread), notYet)
	wantVerdict(t, PodNotRefused(podWith(refused("2 node(s) didn't match pod topology spread constraints")), NoStorage, NoSpread), differs, "spread")
	wantVerdict(t, PodNotRefused(runningOn("w1"), NoSpread), satisfied)
}

func TestSchedulingFailed(t *testing.T) {
	const says = "binding volumes"
	failed := corev1.PodCondition{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonSchedulerError,
		Message: `running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded`,
	}
	wantVerdict(t, SchedulingFailed(podWith(failed), says), satisfied)
	wantVerdict(t, SchedulingFailed(podWith(), says), differs, says)
	wantVerdict(t, SchedulingFailed(podWith(refused("binding volumes")), says), differs, "Unschedulable")
	wantVerdict(t, SchedulingFailed(runningOn("w1"), says), forGood, "w1")
}

func TestNotStarted(t *testing.T) {
	pod := &corev1.Pod{}
	wantVerdict(t, NotStarted(pod), satisfied)
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}}}}
	wantVerdict(t, NotStarted(pod), satisfied)
	pod.Status.ContainerStatuses[0].State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}
	wantVerdict(t, NotStarted(pod), differs)
	pod.Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{}}
	wantVerdict(t, NotStarted(pod), differs)
}

func TestPodWaits(t *testing.T) {
	pod := &corev1.Pod{}
	wantVerdict(t, PodWaits(pod), notYet)
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonSchedulerError}}
	wantVerdict(t, PodWaits(pod), notYet)
	pod.Status.Conditions[0].Reason = corev1.PodReasonUnschedulable
	wantVerdict(t, PodWaits(pod), satisfied)
	pod.Spec.NodeName = "w1"
	wantVerdict(t, PodWaits(pod), forGood, "w1")
}
