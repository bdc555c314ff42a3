// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestNodes(t *testing.T) {
	node := func(ready corev1.ConditionStatus, taints ...string) *corev1.Node {
		n := &corev1.Node{Status: corev1.NodeStatus{
			Conditions:   []corev1.NodeCondition{{Type: corev1.NodeReady, Status: ready}},
			VolumesInUse: []corev1.UniqueVolumeName{"kubernetes.io/csi/driver^v"},
		}}
		for _, key := range taints {
			n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: key, Effect: corev1.TaintEffectNoExecute})
		}
		return n
	}
	pods := func(container string, ready corev1.ConditionStatus) []corev1.Pod {
		return []corev1.Pod{{Status: corev1.PodStatus{
			Conditions:        []corev1.PodCondition{{Type: corev1.PodReady, Status: ready}},
			ContainerStatuses: []corev1.ContainerStatus{{ContainerID: container}},
		}}}
	}
	before := map[string]bool{"old": true}
	for _, test := range []struct {
		name  string
		given error
		want  string
	}{
		{"ready", NodeReady(node(corev1.ConditionTrue)), satisfied},
		{"ready and tainted by others", NodeReady(node(corev1.ConditionTrue, "other")), satisfied},
		{"ready and still unreachable", NodeReady(node(corev1.ConditionTrue, corev1.TaintNodeUnreachable)), notYet},
		{"ready and still out of service", NodeReady(node(corev1.ConditionTrue, corev1.TaintNodeOutOfService)), notYet},
		{"not ready", NodeReady(node(corev1.ConditionUnknown)), notYet},
		{"without a word of being ready", NodeReady(&corev1.Node{}), notYet},
		{"lost", NodeLost(node(corev1.ConditionUnknown)), satisfied},
		{"not lost", NodeLost(node(corev1.ConditionTrue)), notYet},
		{"volume in use", NotInUse(node(corev1.ConditionTrue), "driver", "v"), differs},
		{"volume not in use", NotInUse(node(corev1.ConditionTrue), "driver", "w"), satisfied},
		{"volume of another driver in use", NotInUse(node(corev1.ConditionTrue), "other", "v"), satisfied},
		{"started again", StartedAgain(pods("new", corev1.ConditionTrue), before), satisfied},
		{"started again, and not ready", StartedAgain(pods("new", corev1.ConditionFalse), before), notYet},
		{"ready as it was before", StartedAgain(pods("old", corev1.ConditionTrue), before), notYet},
	} {
		t.Run(test.name, func(t *testing.T) { wantVerdict(t, test.given, test.want) })
	}
}
