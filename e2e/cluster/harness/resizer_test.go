package harness

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestResizes(t *testing.T) {
	for _, c := range []struct {
		name  string
		given corev1.Container
		want  bool
	}{
		{"its usual name and image", corev1.Container{Name: "csi-resizer", Image: "registry.k8s.io/sig-storage/csi-resizer:v2.2.0"}, true},
		{"a name alone", corev1.Container{Name: "external-resizer", Image: "example.com/sidecars@sha256:0123"}, true},
		{"an image alone, with a port of its registry", corev1.Container{Name: "sidecar", Image: "localhost:5000/csi-resizer@sha256:0123"}, true},
		{"a vendor's build", corev1.Container{Name: "sidecar", Image: "example.com/csi-resizer-ubi9:v2"}, true},
		{"another sidecar", corev1.Container{Name: "csi-provisioner", Image: "registry.k8s.io/sig-storage/csi-provisioner:v6.3.0"}, false},
		{"the driver", corev1.Container{Name: "hostpath", Image: "registry.k8s.io/sig-storage/hostpathplugin:v1.18.0"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			pod := corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "driver"}, c.given}}}
			if got := resizes(pod); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
