// SPDX-License-Identifier: Apache-2.0

package preflight

import (
	"slices"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	ktesting "k8s.io/client-go/testing"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

const (
	name = "csi.example.com"
	zone = "topology.example.com/zone"
)

func node(name, value string) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{zone: value}}}
}

func csiNode(node string, keys ...string) *storagev1.CSINode {
	return &storagev1.CSINode{
		ObjectMeta: metav1.ObjectMeta{Name: node},
		Spec:       storagev1.CSINodeSpec{Drivers: []storagev1.CSINodeDriver{{Name: name, NodeID: node, TopologyKeys: keys}}},
	}
}

func csiDriver() *storagev1.CSIDriver {
	return &storagev1.CSIDriver{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

// says fails the test unless the error contains all words, or is nil if there are none.
func says(t *testing.T, err error, words ...string) {
	t.Helper()
	if (err != nil) != (len(words) > 0) {
		t.Fatalf("got %v, want an error with %q", err, words)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("got %v, want %q in it", err, word)
		}
	}
}

func TestDescribed(t *testing.T) {
	two := []runtime.Object{csiDriver(), node("n1", "a"), node("n2", "b"), csiNode("n1", zone), csiNode("n2", zone)}
	other := csiNode("n1", zone)
	other.Spec.Drivers[0].Name = "another.example.com"
	cordoned := node("n2", "b")
	cordoned.Spec.Unschedulable = true
	for _, c := range []struct {
		name    string
		objects []runtime.Object
		region  string
		want    []string
	}{
		{"two zones", two, "", nil},
		{"no CSIDriver, which is optional", two[1:], "", nil},
		{"no driver", []runtime.Object{node("n1", "a"), other}, "", []string{name, "not installed", "CSIDriver"}},
		{"no node with the driver", []runtime.Object{csiDriver(), node("n1", "a"), other}, "", []string{name, "runs on no node"}},
		{"another zone key", []runtime.Object{node("n1", "a"), csiNode("n1", "topology.example.com/rack")}, "", []string{zone, "cluster.topology.zone", "topology.example.com/rack"}},
		{"another region key", two, "topology.example.com/region", []string{"topology.example.com/region", "cluster.topology.region"}},
		{"one zone", []runtime.Object{node("n1", "a"), node("n2", "a"), csiNode("n1", zone), csiNode("n2", zone)}, "", []string{"two", "found 1", "a"}},
		{"one zone that takes pods", []runtime.Object{node("n1", "a"), cordoned, csiNode("n1", zone), csiNode("n2", zone)}, "", []string{"two", "found 1"}},
		{"no node with a value", []runtime.Object{node("n1", ""), csiNode("n1", zone)}, "", []string{"found 0", "none"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := &harness.Target{Driver: name, ZoneKey: zone, RegionKey: c.region}
			zones, err := described(t.Context(), fake.NewClientset(c.objects...), target)
			if err == nil {
				err = enough(target, zones)
			}
			says(t, err, c.want...)
		})
	}
}

func TestSocket(t *testing.T) {
	pod := func(phase corev1.PodPhase, volume string) *corev1.Pod {
		return &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "example", Labels: map[string]string{"app": "driver"}},
			Spec:       corev1.PodSpec{Volumes: []corev1.Volume{{Name: volume}}},
			Status:     corev1.PodStatus{Phase: phase},
		}
	}
	at := &harness.PodSocket{Namespace: "example", Selector: "app=driver", Volume: "socket-dir", Path: "csi.sock"}
	for _, c := range []struct {
		name  string
		given *corev1.Pod
		at    *harness.PodSocket
		want  []string
	}{
		{"there", pod(corev1.PodRunning, "socket-dir"), at, nil},
		{"nowhere", pod(corev1.PodPending, "socket-dir"), nil, nil},
		{"not running", pod(corev1.PodPending, "socket-dir"), at, []string{"no pod runs in namespace example", "app=driver", "cluster.node"}},
		{"another namespace", pod(corev1.PodRunning, "socket-dir"), &harness.PodSocket{Namespace: "other", Selector: "app=driver"}, []string{"no pod runs in namespace other"}},
		{"another volume", pod(corev1.PodRunning, "plugin-dir"), at, []string{"example/p has no volume socket-dir", "plugin-dir"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			says(t, socket(t.Context(), fake.NewClientset(c.given), "node", c.at), c.want...)
		})
	}
}

func TestRights(t *testing.T) {
	target := &harness.Target{Controller: &harness.PodSocket{Namespace: "example"}}
	for _, c := range []struct {
		name      string
		refused   []string // verb and resource
		nodes     bool
		snapshots bool
		want      []string
	}{
		{"all", nil, false, false, nil},
		{"no namespaces", []string{"create namespaces"}, false, false, []string{"may not: create namespaces;"}},
		{"no exec and no classes", []string{"create pods/exec", "update storageclasses"}, false, false, []string{"create pods/exec", "update storageclasses.storage.k8s.io"}},
		{"no ephemeral containers", []string{"update pods/ephemeralcontainers"}, false, false, []string{"update pods/ephemeralcontainers in namespace example"}},
		{"nodes that are left alone", []string{"delete nodes"}, false, false, nil},
		{"nodes that are not", []string{"delete nodes"}, true, false, []string{"delete nodes"}},
		{"snapshots that there are not", []string{"create volumesnapshots"}, false, false, nil},
		{"snapshots that there are", []string{"create volumesnapshots"}, false, true, []string{"create volumesnapshots.snapshot.storage.k8s.io"}},
		{"group snapshots, whose cases are skipped then", []string{"create volumegroupsnapshots"}, false, true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			kube := fake.NewClientset()
			kube.PrependReactor("create", "selfsubjectaccessreviews", func(action ktesting.Action) (bool, runtime.Object, error) {
				review := action.(ktesting.CreateAction).GetObject().(*authorizationv1.SelfSubjectAccessReview).DeepCopy()
				asked := review.Spec.ResourceAttributes
				what := asked.Verb + " " + asked.Resource
				if asked.Subresource != "" {
					what += "/" + asked.Subresource
				}
				review.Status.Allowed = !slices.Contains(c.refused, what)
				return true, review, nil
			})
			if c.snapshots {
				kube.Resources = append(kube.Resources, &metav1.APIResourceList{GroupVersion: workload.SnapshotVersion().String()})
			}
			target.Disturb.Nodes = c.nodes
			says(t, rights(t.Context(), kube, target), c.want...)
		})
	}
}

// TestRulesAreTheRightsThatAreAskedFor checks that with exactly the rights of the rules, no right is missing, and that each
// is requested, except rights to VolumeGroupSnapshots, without which their cases are skipped.
func TestRulesAreTheRightsThatAreAskedFor(t *testing.T) {
	at := func(namespace string) *harness.PodSocket { return &harness.PodSocket{Namespace: namespace} }
	for _, c := range []struct {
		name  string
		given harness.Target
	}{
		{"no sockets", harness.Target{}},
		{"sockets in two namespaces", harness.Target{Controller: at("control"), Node: at("plugins")}},
		{"sockets in one namespace, and nodes that are disturbed", harness.Target{Controller: at("driver"), Node: at("driver"), Disturb: harness.Disturb{Nodes: true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			granted := map[string]bool{} // a right, and whether it was requested
			grant := func(namespace string, rules []rbacv1.PolicyRule) {
				for _, rule := range rules {
					for _, verb := range rule.Verbs {
						granted[namespace+"|"+verb+"|"+rule.APIGroups[0]+"|"+rule.Resources[0]] = false
					}
				}
			}
			everywhere, inNamespace := Rules(&c.given)
			grant("", everywhere)
			for namespace, rules := range inNamespace {
				grant(namespace, rules)
			}
			kube := fake.NewClientset()
			kube.Resources = append(kube.Resources, &metav1.APIResourceList{GroupVersion: workload.SnapshotVersion().String()})
			kube.PrependReactor("create", "selfsubjectaccessreviews", func(action ktesting.Action) (bool, runtime.Object, error) {
				review := action.(ktesting.CreateAction).GetObject().(*authorizationv1.SelfSubjectAccessReview).DeepCopy()
				asked := review.Spec.ResourceAttributes
				resource := asked.Resource
				if asked.Subresource != "" {
					resource += "/" + asked.Subresource
				}
				key := asked.Namespace + "|" + asked.Verb + "|" + asked.Group + "|" + resource
				_, review.Status.Allowed = granted[key]
				granted[key] = true
				return true, review, nil
			})
			says(t, rights(t.Context(), kube, &c.given))
			for right, asked := range granted {
				if !asked && !strings.Contains(right, workload.GroupSnapshotVersion().Group) {
					t.Errorf("%s is granted, and nobody asks for it", right)
				}
			}
		})
	}
}

func TestImage(t *testing.T) {
	waiting := func(reason string) corev1.ContainerState {
		return corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}
	}
	ended := func(code int32) corev1.ContainerState {
		return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code}}
	}
	for _, c := range []struct {
		name  string
		phase corev1.PodPhase
		given corev1.ContainerState
		want  []string
	}{
		{"it runs", corev1.PodSucceeded, ended(0), nil},
		{"it cannot be pulled", corev1.PodPending, waiting("ImagePullBackOff"), []string{"n1", "cannot pull the workload image example.com/workload"}},
		{"it is no image", corev1.PodPending, waiting("InvalidImageName"), []string{"cannot pull"}},
		{"it has no shell", corev1.PodFailed, ended(127), []string{"does not run /bin/sh"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			kube := fake.NewClientset()
			kube.PrependReactor("create", "namespaces", func(ktesting.Action) (bool, runtime.Object, error) {
				return true, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "trial"}}, nil
			})
			kube.PrependReactor("get", "pods", func(ktesting.Action) (bool, runtime.Object, error) {
				pod := trial("example.com/workload", "n1")
				pod.Status = corev1.PodStatus{Phase: c.phase, ContainerStatuses: []corev1.ContainerStatus{{State: c.given}}}
				return true, pod, nil
			})
			deleted := false
			kube.PrependReactor("delete", "namespaces", func(action ktesting.Action) (bool, runtime.Object, error) {
				deleted = action.(ktesting.DeleteAction).GetName() == "trial"
				return true, nil, nil
			})
			says(t, image(t.Context(), kube, "example.com/workload", map[string][]string{"a": {"n1", "n2"}}), c.want...)
			if !deleted {
				t.Error("the namespace is left")
			}
		})
	}
}
