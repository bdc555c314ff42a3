// SPDX-License-Identifier: Apache-2.0

package install

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestRegistered(t *testing.T) {
	nodes := []corev1.Node{
		{ObjectMeta: metav1.ObjectMeta{Name: "cp", Labels: map[string]string{controlPlaneLabel: ""}}},
		{ObjectMeta: metav1.ObjectMeta{Name: "w1"}},
		{ObjectMeta: metav1.ObjectMeta{Name: "w2"}},
	}
	has := func(node string, drivers ...string) storagev1.CSINode {
		entry := storagev1.CSINode{ObjectMeta: metav1.ObjectMeta{Name: node}}
		for _, driver := range drivers {
			entry.Spec.Drivers = append(entry.Spec.Drivers, storagev1.CSINodeDriver{Name: driver})
		}
		return entry
	}
	cases := []struct {
		name  string
		given []storagev1.CSINode
		want  string
	}{
		{"on every worker", []storagev1.CSINode{has("w1", "d"), has("w2", "other", "d")}, ""},
		{"one worker has another driver", []storagev1.CSINode{has("w1", "d"), has("w2", "other")}, "on w2"},
		{"one worker has no CSINode", []storagev1.CSINode{has("w1", "d")}, "on w2"},
		{"only the control plane has it", []storagev1.CSINode{has("cp", "d")}, "on w1, w2"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := registered("d", nodes, c.given)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), c.want)) {
				t.Errorf("want %q, got %v", c.want, err)
			}
		})
	}
}
