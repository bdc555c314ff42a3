// SPDX-License-Identifier: Apache-2.0

package job

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"

	"github.com/csi-topo/csi-topo/e2e/internal/target/preflight"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

// reference returns the options of a Job for the reference driver.
func reference(t *testing.T) Options {
	t.Helper()
	described, err := profile.Known(profile.Reference)
	if err != nil {
		t.Fatal(err)
	}
	text, err := profile.Text(profile.Reference)
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Image: "registry.example.com/csi-topo:v1", WorkloadImage: "registry.example.com/csi-topo-workload:v1",
		Profile: described, Text: string(text), Args: []string{"--label", "smoke"}, NodeSelector: map[string]string{"kubernetes.io/arch": "amd64"},
	}
}

func objectsOf(t *testing.T, o Options) []*unstructured.Unstructured {
	t.Helper()
	objects, err := Objects(o)
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// find returns the object with the kind, namespace and name, and fails the test if there is none.
func find[T any](t *testing.T, objects []*unstructured.Unstructured, kind, namespace, name string) *T {
	t.Helper()
	for _, object := range objects {
		if object.GetKind() != kind || object.GetNamespace() != namespace || object.GetName() != name {
			continue
		}
		found := new(T)
		if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(object.Object, found, true); err != nil {
			t.Fatal(err)
		}
		return found
	}
	t.Fatalf("there is no %s %s/%s", kind, namespace, name)
	return nil
}

// TestRightsOfTheJob checks that the Job has exactly the rights that the run needs, and the right to one ConfigMap.
func TestRightsOfTheJob(t *testing.T) {
	undisturbed, disturbing := reference(t), reference(t)
	disturbing.Profile.Cluster.Disturb = &[]profile.Disturbance{profile.Nodes}
	for name, o := range map[string]Options{"disturbing nothing": undisturbed, "disturbing nodes": disturbing} {
		t.Run(name, func(t *testing.T) {
			objects := objectsOf(t, o)
			everywhere, inNamespace := preflight.Rules(o.target())
			got := find[rbacv1.ClusterRole](t, objects, "ClusterRole", "", Name).Rules
			if diff := cmp.Diff(everywhere, got); diff != "" {
				t.Errorf("in the whole cluster (-want +got):\n%s", diff)
			}
			changesNodes := slices.ContainsFunc(got, func(r rbacv1.PolicyRule) bool { return r.Resources[0] == "nodes" && slices.Contains(r.Verbs, "patch") })
			if changesNodes != (name == "disturbing nodes") {
				t.Errorf("it may change nodes: %v", changesNodes)
			}
			if !slices.ContainsFunc(got, func(r rbacv1.PolicyRule) bool { return r.Resources[0] == "volumeattributesclasses" }) {
				t.Error("it may not create a VolumeAttributesClass, though the profile has mutableParameters")
			}
			roles := 1 // for the report
			for namespace, want := range inNamespace {
				roles++
				if diff := cmp.Diff(want, find[rbacv1.Role](t, objects, "Role", namespace, Name).Rules); diff != "" {
					t.Errorf("in namespace %s (-want +got):\n%s", namespace, diff)
				}
			}
			report := []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"configmaps"}, ResourceNames: []string{ReportMap}, Verbs: []string{"get", "update"}}}
			if diff := cmp.Diff(report, find[rbacv1.Role](t, objects, "Role", Name, ReportMap).Rules); diff != "" {
				t.Errorf("for the report (-want +got):\n%s", diff)
			}
			wantBound(t, objects, roles)
		})
	}
}

// wantBound checks that there are the given number of roles and one cluster role, each bound only to the Job's service
// account.
func wantBound(t *testing.T, objects []*unstructured.Unstructured, roles int) {
	t.Helper()
	counted := map[string]int{}
	for _, object := range objects {
		kind := object.GetKind()
		counted[kind]++
		if kind != "RoleBinding" && kind != "ClusterRoleBinding" {
			continue
		}
		binding := find[rbacv1.RoleBinding](t, objects, kind, object.GetNamespace(), object.GetName()) // a ClusterRoleBinding has the same fields
		subject := rbacv1.Subject{Kind: "ServiceAccount", Name: Name, Namespace: Name}
		if diff := cmp.Diff([]rbacv1.Subject{subject}, binding.Subjects); diff != "" {
			t.Errorf("%s %s binds to (-want +got):\n%s", kind, binding.Name, diff)
		}
		find[rbacv1.Role](t, objects, binding.RoleRef.Kind, object.GetNamespace(), binding.RoleRef.Name)
	}
	if counted["Role"] != roles || counted["RoleBinding"] != roles || counted["ClusterRole"] != 1 || counted["ClusterRoleBinding"] != 1 {
		t.Errorf("want %d roles and one cluster role, and each bound, got %v", roles, counted)
	}
}

func TestPodOfTheJob(t *testing.T) {
	o := reference(t)
	objects := objectsOf(t, o)
	template := find[batchv1.Job](t, objects, "Job", Name, Name).Spec.Template
	container := template.Spec.Containers[0]
	want := []string{
		"cluster", "--in-cluster", "--profile=/profile/profile.yaml", "--workload-image=" + o.WorkloadImage,
		"--report-dir=/report", "--report-configmap=csi-topo/csi-topo-report", "--label", "smoke",
	}
	if diff := cmp.Diff(want, container.Args); diff != "" || container.Image != o.Image {
		t.Errorf("image %s, arguments (-want +got):\n%s", container.Image, diff)
	}
	if diff := cmp.Diff(o.NodeSelector, template.Spec.NodeSelector); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	if got := find[corev1.ConfigMap](t, objects, "ConfigMap", Name, "csi-topo-profile").Data["profile.yaml"]; got != o.Text {
		t.Errorf("the profile is %q", got)
	}
	find[corev1.ConfigMap](t, objects, "ConfigMap", Name, ReportMap)

	// The API server's own code evaluates the Pod Security Standard.
	judge, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	restricted := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	for _, result := range judge.EvaluatePod(restricted, &template.ObjectMeta, &template.Spec) {
		if !result.Allowed {
			t.Errorf("the pod has %s: %s", result.ForbiddenReason, result.ForbiddenDetail)
		}
	}
}

func TestObjectsRefuses(t *testing.T) {
	withSecrets, specOnly := reference(t), reference(t)
	withSecrets.Profile.Secrets.CreateVolume = map[string]string{"password": "x"}
	specOnly.Profile.Cluster = nil
	for name, o := range map[string]Options{"secrets, which a ConfigMap would show": withSecrets, "a profile without a cluster": specOnly} {
		if _, err := Objects(o); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}
