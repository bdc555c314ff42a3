// SPDX-License-Identifier: Apache-2.0

package needs

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestHas(t *testing.T) {
	for _, c := range []struct {
		name  string
		given corev1.Container
		want  string
	}{
		{"its usual name and image", corev1.Container{Name: "csi-resizer", Image: "registry.k8s.io/sig-storage/csi-resizer:v2.2.0"}, resizer},
		{"a name alone", corev1.Container{Name: "external-resizer", Image: "example.com/sidecars@sha256:0123"}, resizer},
		{"an image alone, with a port of its registry", corev1.Container{Name: "sidecar", Image: "localhost:5000/csi-snapshotter@sha256:0123"}, Snapshotter},
		{"a vendor's build", corev1.Container{Name: "sidecar", Image: "example.com/csi-snapshotter-ubi9:v2"}, Snapshotter},
		{"another sidecar", corev1.Container{Name: "csi-provisioner", Image: "registry.k8s.io/sig-storage/csi-provisioner:v6.3.0"}, ""},
		{"the controller that a cluster has once", corev1.Container{Name: "snapshot-controller", Image: "registry.k8s.io/sig-storage/snapshot-controller:v8.7.0"}, ""},
		{"the driver", corev1.Container{Name: "hostpath", Image: "registry.k8s.io/sig-storage/hostpathplugin:v1.18.0"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			pod := corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "driver"}, c.given}}}
			for _, word := range []string{resizer, Snapshotter} {
				if got := hasSidecar(pod, word); got != (word == c.want) {
					t.Errorf("it has a %s: got %v, want %v", word, got, !got)
				}
			}
		})
	}
}
