// SPDX-License-Identifier: Apache-2.0

package dial

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestUsableContainer(t *testing.T) {
	relay := func(name, image, volume string) corev1.EphemeralContainer {
		return corev1.EphemeralContainer{EphemeralContainerCommon: corev1.EphemeralContainerCommon{
			Name: name, Image: image, VolumeMounts: []corev1.VolumeMount{{Name: volume, MountPath: mountPath}},
		}}
	}
	ended := corev1.ContainerStatus{Name: "relay-0", State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{}}}
	tests := []struct {
		name       string
		containers []corev1.EphemeralContainer
		statuses   []corev1.ContainerStatus
		want       string
	}{
		{name: "none yet"},
		{name: "one that waits or runs", containers: []corev1.EphemeralContainer{relay("relay-0", "workload", "socket-dir")}, want: "relay-0"},
		{name: "one of another image", containers: []corev1.EphemeralContainer{relay("debug", "alpine", "socket-dir")}},
		{name: "one of another volume", containers: []corev1.EphemeralContainer{relay("relay-0", "workload", "config")}},
		{name: "one that has ended", containers: []corev1.EphemeralContainer{relay("relay-0", "workload", "socket-dir")}, statuses: []corev1.ContainerStatus{ended}},
		{
			name:       "a second one after the first ended",
			containers: []corev1.EphemeralContainer{relay("relay-0", "workload", "socket-dir"), relay("relay-1", "workload", "socket-dir")},
			statuses:   []corev1.ContainerStatus{ended},
			want:       "relay-1",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			pod := &corev1.Pod{}
			pod.Spec.EphemeralContainers = test.containers
			pod.Status.EphemeralContainerStatuses = test.statuses
			if got := usableContainer(pod, "socket-dir", "workload"); got != test.want {
				t.Errorf("usable container %q, wanted %q", got, test.want)
			}
		})
	}
}

func TestNewContainerNeedsTheVolume(t *testing.T) {
	pod := &corev1.Pod{}
	pod.Spec.Volumes = []corev1.Volume{{Name: "socket-dir"}}
	if _, err := newContainer(pod, "plugin-dir", "workload"); err == nil || !strings.Contains(err.Error(), "plugin-dir") {
		t.Errorf("error %v, wanted one that names the missing volume", err)
	}
	pod.Spec.EphemeralContainers = make([]corev1.EphemeralContainer, 2)
	container, err := newContainer(pod, "socket-dir", "workload")
	if err != nil {
		t.Fatal(err)
	}
	if want := "csi-topo-relay-2"; container.Name != want {
		t.Errorf("container %q, wanted %q, a name the pod has not used", container.Name, want)
	}
}

func TestNewContainerRunsAsThePod(t *testing.T) {
	user := int64(65532)
	for _, test := range []struct {
		name        string
		given       *corev1.PodSecurityContext
		want        int64
		wantDropped bool
	}{
		{"root, where the pod says nothing", nil, 0, false},
		{"the pod's user, confined as the restricted standard wants", &corev1.PodSecurityContext{RunAsUser: &user}, user, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			pod := &corev1.Pod{}
			pod.Spec.Volumes = []corev1.Volume{{Name: "socket-dir"}}
			pod.Spec.SecurityContext = test.given
			container, err := newContainer(pod, "socket-dir", "workload")
			if err != nil {
				t.Fatal(err)
			}
			got := container.SecurityContext
			if *got.RunAsUser != test.want || *got.RunAsNonRoot != test.wantDropped || (got.Capabilities != nil) != test.wantDropped {
				t.Errorf("the container runs as %v", got)
			}
		})
	}
}
