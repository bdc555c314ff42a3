// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func node(name string, conditions ...corev1.NodeCondition) corev1.Node {
	return corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: corev1.NodeStatus{Conditions: conditions}}
}

func TestNodesReady(t *testing.T) {
	ready := corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionTrue}
	waiting := corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionFalse, Message: "no network"}
	cases := []struct {
		name  string
		given []corev1.Node
		want  string
	}{
		{"all ready", []corev1.Node{node("a", ready), node("b", ready)}, ""},
		{"one waits", []corev1.Node{node("a", ready), node("b", waiting)}, "b: no network"},
		{"one says nothing", []corev1.Node{node("a", ready), node("b")}, "b: it has not reported anything"},
		{"one has not joined", []corev1.Node{node("a", ready)}, "want 2 nodes, found 1"},
		{"one too many", []corev1.Node{node("a", ready), node("b", ready), node("c", ready)}, "want 2 nodes, found 3"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := nodesReady(c.given, 2)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("want %q, got %v", c.want, err)
			}
		})
	}
}
