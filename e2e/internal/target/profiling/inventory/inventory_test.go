// SPDX-License-Identifier: Apache-2.0

package inventory

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/csi-topo/csi-topo/clusters/install"
	"github.com/csi-topo/csi-topo/e2e/internal/target/profiling/draft"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

// installed returns the objects of a kustomization that a typed client knows, without the definitions of snapshots.
func installed(t *testing.T, kustomization string) []runtime.Object {
	t.Helper()
	rendered, err := install.Driver{Kustomization: kustomization}.Objects(true, nil)
	if err != nil {
		t.Fatal(err)
	}
	var objects []runtime.Object
	for _, object := range rendered {
		if !scheme.Scheme.Recognizes(object.GroupVersionKind()) {
			continue
		}
		typed, err := scheme.Scheme.New(object.GroupVersionKind())
		if err != nil {
			t.Fatal(err)
		}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, typed); err != nil {
			t.Fatal(err)
		}
		objects = append(objects, typed)
	}
	return objects
}

func csiNode(driver, node string, keys ...string) runtime.Object {
	return &storagev1.CSINode{
		ObjectMeta: metav1.ObjectMeta{Name: node},
		Spec:       storagev1.CSINodeSpec{Drivers: []storagev1.CSINodeDriver{{Name: driver, NodeID: node, TopologyKeys: keys}}},
	}
}

func node(name string, labels map[string]string) runtime.Object {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
}

func drafted(t *testing.T, driver string, objects ...runtime.Object) *draft.Draft {
	t.Helper()
	found, err := Read(t.Context(), fake.NewClientset(objects...), driver)
	if err != nil {
		t.Fatal(err)
	}
	d := &draft.Draft{Profile: profile.Of(driver)}
	found.Describe(d)
	return d
}

// TestProfilesOfTheReferenceDriver checks that the manifests of both modes yield csi-topo's own profiles.
func TestProfilesOfTheReferenceDriver(t *testing.T) {
	for _, test := range []struct {
		name, profile, kustomization string
		keys                         []string
	}{
		{"central", profile.Reference, "central-published-sidecars", []string{"topology.hostpath.topo.csi/region", "topology.hostpath.topo.csi/zone"}},
		{"node-local", profile.ReferenceNodeLocal, "node-local-published-sidecars", []string{"topology.hostpath.topo.csi/node"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			want, err := profile.Known(test.profile)
			if err != nil {
				t.Fatal(err)
			}
			objects := append(installed(t, "../../../../../fixtures/driver/"+test.kustomization), csiNode(want.Driver, "n1", test.keys...), csiNode(want.Driver, "n2", test.keys...))
			whole := drafted(t, want.Driver, objects...).Profile
			if whole.ControllerPerNode != want.ControllerPerNode {
				t.Errorf("controllerPerNode is %t, want %t", whole.ControllerPerNode, want.ControllerPerNode)
			}
			got := whole.Cluster
			if got == nil {
				t.Fatal("no cluster section was found")
			}
			wanted := profile.Cluster{Topology: want.Cluster.Topology, Controller: want.Cluster.Controller, Node: want.Cluster.Node}
			for _, socket := range []*profile.Socket{wanted.Controller, wanted.Node} {
				if sorted, err := metav1.ParseToLabelSelector(socket.Selector); err == nil {
					socket.Selector = metav1.FormatLabelSelector(sorted)
				}
			}
			if diff := cmp.Diff(wanted, *got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func workload(name string, volume corev1.Volume, containers ...corev1.Container) Workload {
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}
	return Workload{Namespace: "storage", Name: name, Selector: selector, Pod: corev1.PodSpec{Volumes: []corev1.Volume{volume}, Containers: containers}}
}

// TestSockets covers the ways in which vendors deploy: an address in a variable, their own flags, a socket-dir at /var/lib.
func TestSockets(t *testing.T) {
	const driver = "csi.example.com"
	hostPath := func(path string) corev1.VolumeSource {
		return corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: path}}
	}
	controller := workload("controller", corev1.Volume{Name: "sockets"}, corev1.Container{
		Image: "registry.example.com:5000/mirror/csi-provisioner:v6.3.0@sha256:0123",
		Args:  []string{"--v=2", "--csi-address=$(ADDRESS)"}, Env: []corev1.EnvVar{{Name: "ADDRESS", Value: "/var/lib/csi/sockets/pluginproxy/csi.sock"}},
		VolumeMounts: []corev1.VolumeMount{{Name: "root", MountPath: "/"}, {Name: "sockets", MountPath: "/var/lib/csi/sockets/pluginproxy/"}},
	})
	nodes := workload("node", corev1.Volume{Name: "plugin-dir", VolumeSource: hostPath("/var/lib/kubelet/plugins/csi.example.com/")}, corev1.Container{
		Image: "registrar", Args: []string{"-csi-address", "/csi/sub/csi.sock", "--kubelet-registration-path=/var/lib/kubelet/plugins/csi.example.com/csi.sock"},
		VolumeMounts: []corev1.VolumeMount{{Name: "plugin-dir", MountPath: "/csi"}},
	})
	other := workload("other", corev1.Volume{Name: "o"}, corev1.Container{Image: "csi-provisioner"})
	other.Namespace = "elsewhere"
	for _, test := range []struct {
		name             string
		given            []Workload
		controller, node profile.Socket
	}{
		{"one of each, and another driver's", []Workload{other, controller, nodes},
			profile.Socket{Namespace: "storage", Selector: "app=controller", Volume: "sockets", Path: "csi.sock"},
			profile.Socket{Namespace: "storage", Selector: "app=node", Volume: "plugin-dir", Path: "sub/csi.sock"}},
		{"none", nil, profile.Socket{}, profile.Socket{}},
		{"two of each", []Workload{controller, controller, nodes, nodes}, profile.Socket{}, profile.Socket{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			objects := &Objects{Driver: driver, TopologyKeys: []string{"zone"}, Workloads: test.given}
			d := &draft.Draft{Profile: profile.Of(driver)}
			objects.Describe(d)
			for path, c := range map[string]struct {
				want profile.Socket
				got  *profile.Socket
			}{"cluster.controller": {test.controller, d.Profile.Cluster.Controller}, "cluster.node": {test.node, d.Profile.Cluster.Node}} {
				got := profile.Socket{}
				if c.got != nil {
					got = *c.got
				}
				if got != c.want {
					t.Errorf("%s: got %+v, want %+v", path, got, c.want)
				}
				if c.got == nil && !d.Noted(path) {
					t.Errorf("%s is not known, and nothing says how to find out", path)
				}
			}
		})
	}
}

func TestTopology(t *testing.T) {
	const driver = "csi.example.com"
	for _, test := range []struct {
		name         string
		keys         []string
		labels       []map[string]string
		zone, region string
	}{
		{"none", nil, nil, "", ""},
		{"zones", []string{"topology.example.com/zone"}, nil, "topology.example.com/zone", ""},
		{"zones and regions", []string{"topology.example.com/region", "topology.example.com/zone"}, nil, "topology.example.com/zone", "topology.example.com/region"},
		{"zones among others", []string{"example.com/rack", "topology.example.com/zone"}, nil, "topology.example.com/zone", ""},
		{"nodes", []string{"topology.example.com/node"}, nil, "topology.example.com/node", ""},
		{"what nodes differ in most", []string{"example.com/hall", "example.com/rack"}, []map[string]string{{"example.com/hall": "1", "example.com/rack": "a"}, {"example.com/hall": "1", "example.com/rack": "b"}}, "example.com/rack", ""},
		{"regions alone", []string{"topology.example.com/region"}, nil, "topology.example.com/region", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			objects := []runtime.Object{csiNode(driver, "n0", test.keys...)}
			for i, labels := range test.labels {
				objects = append(objects, node(string(rune('a'+i)), labels))
			}
			d := drafted(t, driver, objects...)
			got := profile.Topology{}
			if d.Profile.Cluster != nil {
				got = d.Profile.Cluster.Topology
			}
			if want := (profile.Topology{Zone: test.zone, Region: test.region}); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestStorageClasses(t *testing.T) {
	const driver = "csi.example.com"
	class := func(name, provisioner, isDefault string, parameters map[string]string) runtime.Object {
		return &storagev1.StorageClass{
			ObjectMeta:  metav1.ObjectMeta{Name: name, Annotations: map[string]string{"storageclass.kubernetes.io/is-default-class": isDefault}},
			Provisioner: provisioner, Parameters: parameters,
		}
	}
	d := drafted(t, driver,
		class("a", driver, "", map[string]string{"type": "hdd"}),
		class("b", driver, "true", map[string]string{"type": "ssd", "csi.storage.k8s.io/fstype": "ext4", "csi.storage.k8s.io/provisioner-secret-name": "key", "csi.storage.k8s.io/provisioner-secret-namespace": "vault"}),
		class("c", "another.example.com", "true", map[string]string{"type": "other"}),
	)
	if diff := cmp.Diff([]profile.Kind{{Parameters: map[string]string{"type": "ssd"}}}, d.Profile.Volumes); diff != "" || d.Profile.FsType != "ext4" {
		t.Errorf("got file system %q and volumes (-want +got):\n%s", d.Profile.FsType, diff)
	}
	text, err := d.YAML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"kubectl get secret --namespace vault key", "# otherParameters:\n#   type: hdd\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
}
