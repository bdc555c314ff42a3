// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestUsableSockets(t *testing.T) {
	pod := func(name, node string, phase corev1.PodPhase) corev1.Pod {
		return corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec:       corev1.PodSpec{NodeName: node},
			Status:     corev1.PodStatus{Phase: phase},
		}
	}
	deleted := pod("c-0", "a", corev1.PodRunning)
	deleted.DeletionTimestamp = &metav1.Time{}
	for name, test := range map[string]struct {
		pods []corev1.Pod
		want string // the pod on node a, or
		says string // part of the error
	}{
		"one that runs":              {pods: []corev1.Pod{pod("c-0", "a", corev1.PodRunning)}, want: "c-0"},
		"one that starts":            {pods: []corev1.Pod{pod("c-0", "a", corev1.PodPending)}, want: "c-0"},
		"a new one beside an old":    {pods: []corev1.Pod{pod("c-1", "a", corev1.PodRunning), deleted}, want: "c-1"},
		"a new one after an evicted": {pods: []corev1.Pod{pod("c-1", "a", corev1.PodRunning), pod("c-0", "a", corev1.PodFailed)}, want: "c-1"},
		"none":                       {says: "there are none"},
		"one that waits for a node":  {pods: []corev1.Pod{pod("c-0", "", corev1.PodPending)}, says: "c-0 has no node"},
		"one that is being deleted":  {pods: []corev1.Pod{deleted}, says: "c-0 is being deleted"},
		"one that has ended":         {pods: []corev1.Pod{pod("c-0", "a", corev1.PodFailed)}, says: "c-0 has ended (Failed)"},
	} {
		t.Run(name, func(t *testing.T) {
			sockets, err := usableSockets(&PodSocket{Namespace: "driver", Selector: "app=driver", Volume: "socket-dir"}, test.pods)
			if test.says != "" {
				if err == nil || !strings.Contains(err.Error(), test.says) {
					t.Fatalf("sockets %v and error %v, want one that says %q", sockets, err, test.says)
				}
				return
			}
			if err != nil || len(sockets) != 1 || sockets["a"].Pod != test.want {
				t.Errorf("sockets %v (%v), want that of %s on node a", sockets, err, test.want)
			}
		})
	}
}
