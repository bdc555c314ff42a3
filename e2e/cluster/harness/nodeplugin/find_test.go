// SPDX-License-Identifier: Apache-2.0

package nodeplugin

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

// podHolding returns a running pod of a DaemonSet with these directories of the host.
func podHolding(name string, directories ...string) corev1.Pod {
	controls := true
	pod := corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: "storage", Name: name, Labels: map[string]string{"app": name},
		OwnerReferences: []metav1.OwnerReference{{Kind: "DaemonSet", Name: name, Controller: &controls}},
	}}
	pod.Status.Phase = corev1.PodRunning
	for _, directory := range directories {
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{
			Name:         directory[strings.LastIndex(directory, "/")+1:],
			VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: directory}},
		})
	}
	return pod
}

func TestFindNodePlugin(t *testing.T) {
	const plugins, registry = "/var/lib/kubelet/plugins", "/var/lib/kubelet/plugins_registry"
	plugin := podHolding("plugin", plugins+"/a.csi", "/var/lib/kubelet", registry)
	changed := func(pod corev1.Pod, change func(*corev1.Pod)) corev1.Pod {
		pod = *pod.DeepCopy()
		change(&pod)
		return pod
	}
	tests := []struct {
		name   string
		given  []corev1.Pod
		volume string
		path   string
		want   string
		fails  string
	}{
		{name: "one pod", given: []corev1.Pod{plugin}, want: "plugin"},
		{
			name:  "a registrar in a pod of its own, in any namespace",
			given: []corev1.Pod{changed(podHolding("registrar", plugins+"/a.csi/socket", registry), func(p *corev1.Pod) { p.Namespace = "other" }), plugin},
			want:  "registrar plugin",
		},
		{
			name: "others that hold as much, or another driver's directory",
			given: []corev1.Pod{
				podHolding("other", plugins+"/b.csi", registry), podHolding("longer", plugins+"/a.csi.example", registry),
				podHolding("monitor", "/var/lib/kubelet"), podHolding("all", "/"), plugin,
			},
			want: "plugin",
		},
		{
			name:   "a directory that drivers share",
			given:  []corev1.Pod{podHolding("plugin", plugins, registry), podHolding("other", plugins, registry)},
			volume: "plugins", path: "a.sock", want: "plugin",
		},
		{
			name:   "a volume above the driver's own directory",
			given:  []corev1.Pod{podHolding("plugin", plugins, registry), podHolding("other", plugins, registry)},
			volume: "plugins", path: "a.csi/csi.sock", want: "plugin",
		},
		{
			name: "one that ends, beside its successor",
			given: []corev1.Pod{
				changed(plugin, func(p *corev1.Pod) { p.Name, p.DeletionTimestamp = "ending", &metav1.Time{} }),
				changed(plugin, func(p *corev1.Pod) { p.Name, p.Status.Phase = "done", corev1.PodSucceeded }), plugin,
			},
			want: "plugin",
		},
		{name: "none", given: []corev1.Pod{podHolding("other", plugins+"/a.csi")}, fails: "no pod runs"},
		{name: "one in another namespace", given: []corev1.Pod{changed(plugin, func(p *corev1.Pod) { p.Namespace = "other" })}, fails: "no pod runs"},
		{name: "no volume of the host", given: []corev1.Pod{plugin}, volume: "socket-dir", fails: "not a hostPath volume"},
		{name: "not below the kubelet's directory", given: []corev1.Pod{podHolding("plugin", "/run/a.csi")}, fails: "not below"},
		{
			name:  "a pod that nobody brings back",
			given: []corev1.Pod{changed(plugin, func(p *corev1.Pod) { p.OwnerReferences = nil })}, fails: "DaemonSet",
		},
		{
			name:  "a pod of the node itself",
			given: []corev1.Pod{changed(plugin, func(p *corev1.Pod) { p.OwnerReferences[0].Kind = "Node" })}, fails: "DaemonSet",
		},
		{
			name:  "a registrar that nobody brings back",
			given: []corev1.Pod{plugin, changed(podHolding("registrar", plugins+"/a.csi"), func(p *corev1.Pod) { p.OwnerReferences = nil })},
			fails: "storage/registrar is not controlled",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			at := &harness.PodSocket{Namespace: "storage", Selector: "app=plugin", Volume: "a.csi", Path: "socket/csi.sock"}
			if test.volume != "" {
				at.Volume = test.volume
			}
			if test.path != "" {
				at.Path = test.path
			}
			found, err := Find(test.given, at)
			if test.fails != "" {
				if err == nil || !strings.Contains(err.Error(), test.fails) {
					t.Errorf("error %v, wanted one that says %q", err, test.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, pod := range found.Pods {
				names = append(names, pod.Name)
			}
			if got := strings.Join(names, " "); got != test.want {
				t.Errorf("pods %q, wanted %q", got, test.want)
			}
			if found.kubeletDir != "/var/lib/kubelet" {
				t.Errorf("the kubelet's directory is %q, wanted /var/lib/kubelet", found.kubeletDir)
			}
		})
	}
}
