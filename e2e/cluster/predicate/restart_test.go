// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// podOf returns a ready pod of the controller.
func podOf(controller, uid string) corev1.Pod {
	controls := true
	pod := runningOn("w1")
	pod.Name, pod.UID = "pod-"+uid, types.UID(uid)
	pod.OwnerReferences = []metav1.OwnerReference{{Kind: "DaemonSet", UID: types.UID(controller), Controller: &controls}}
	return *pod
}

// starting returns a pod of the controller that is not ready, with its container in this
// state.
func starting(controller, uid string, container corev1.ContainerStatus) corev1.Pod {
	pod := podOf(controller, uid)
	pod.Status.Conditions = nil
	container.Name = "plugin"
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{container}
	return pod
}

func TestReplaced(t *testing.T) {
	ended := corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 3, Reason: "Error"}}
	old := []corev1.Pod{podOf("plugin", "1"), podOf("registrar", "2")}
	bare := podOf("plugin", "3")
	bare.OwnerReferences = nil
	tests := []struct {
		name string
		now  []corev1.Pod
		want string
		says []string
	}{
		{"as before", old, notYet, []string{"pod-1 is still there"}},
		{"one still there beside its successor", []corev1.Pod{podOf("plugin", "1"), podOf("plugin", "3"), podOf("registrar", "4")}, notYet, []string{"pod-1"}},
		{"none yet", nil, notYet, []string{"no successor"}},
		{"one of two", []corev1.Pod{podOf("plugin", "3")}, notYet, []string{"pod-2 has no successor"}},
		{"of another controller", []corev1.Pod{podOf("other", "3"), podOf("registrar", "4")}, notYet, []string{"pod-1"}},
		{"of no controller", []corev1.Pod{bare, podOf("registrar", "4")}, notYet, []string{"pod-1"}},
		{"starting", []corev1.Pod{starting("plugin", "3", corev1.ContainerStatus{}), podOf("registrar", "4")}, notYet, []string{"pod-3 is not ready"}},
		{
			"ended",
			[]corev1.Pod{starting("plugin", "3", corev1.ContainerStatus{State: ended}), podOf("registrar", "4")},
			differs, []string{"plugin of pod pod-3", "1 times", "exit status 3"},
		},
		{
			"ended, and running again",
			[]corev1.Pod{starting("plugin", "3", corev1.ContainerStatus{LastTerminationState: ended, RestartCount: 1}), podOf("registrar", "4")},
			differs, []string{"2 times"},
		},
		{"both ready", []corev1.Pod{podOf("registrar", "4"), podOf("other", "5"), podOf("plugin", "3")}, satisfied, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantVerdict(t, Replaced(old, test.now), test.want, test.says...)
		})
	}
}

func TestWentOn(t *testing.T) {
	before := runningOn("w1")
	before.UID = "1"
	before.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: "workload", ContainerID: "containerd://a", RestartCount: 1,
		State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}},
	}}
	tests := []struct {
		name   string
		change func(*corev1.Pod)
		want   string
		says   []string
	}{
		{"all the same", func(*corev1.Pod) {}, satisfied, nil},
		{"another pod of the name", func(p *corev1.Pod) { p.UID = "2" }, differs, []string{"1, as before", "2"}},
		{"started again", func(p *corev1.Pod) { p.Status.ContainerStatuses[0].RestartCount = 2 }, differs, []string{"2 times"}},
		{"another container", func(p *corev1.Pod) { p.Status.ContainerStatuses[0].ContainerID = "containerd://b" }, differs, []string{"containerd://b"}},
		{
			"ended", func(p *corev1.Pod) {
				p.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}
			},
			differs, []string{"not running", "CrashLoopBackOff"},
		},
		{"no container", func(p *corev1.Pod) { p.Status.ContainerStatuses = nil }, differs, []string{"none"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			now := before.DeepCopy()
			test.change(now)
			wantVerdict(t, WentOn(before, now), test.want, test.says...)
		})
	}
}
