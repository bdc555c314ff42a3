// SPDX-License-Identifier: Apache-2.0

// Package job has the Job that runs the cluster tier inside the cluster with the driver under test: its objects, with
// exactly the rights that the cases need, and the ConfigMap for its report. It depends on no case.
package job

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"reflect"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/internal/target/preflight"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/fixtures"
)

// Name is the name of the Job and of its namespace, and ReportMap the name of the ConfigMap for the report.
const (
	Name      = "csi-topo"
	ReportMap = "csi-topo-report"
)

// Options are the options of a Job.
type Options struct {
	// Image is the image of csi-topo, and WorkloadImage the image of the cases' pods. The nodes must be able to pull both.
	Image, WorkloadImage string
	// Profile is the vendor's profile, which has the section cluster, and Text its YAML.
	Profile profile.Profile
	Text    string
	// NodeSelector selects the nodes on which the Job's pod may run; empty allows all.
	NodeSelector map[string]string
	// Args are more flags of csi-topo cluster, such as those that select cases.
	Args []string
}

// Objects returns the Job and everything that it needs, in the order in which to apply them. It returns an error if the
// profile lacks something, or has secrets.
func Objects(o Options) ([]*unstructured.Unstructured, error) {
	if o.Profile.Cluster == nil {
		return nil, errors.New("the profile has no cluster section, which the Job needs: want cluster.topology.zone in it")
	}
	if !reflect.ValueOf(o.Profile.Secrets).IsZero() {
		return nil, errors.New("the profile has secrets, which the Job does not need, and which its ConfigMap would show: name a profile without them")
	}
	objects, err := read("job.yaml")
	if err != nil {
		return nil, err
	}
	everywhere, inNamespace := preflight.Rules(o.target())
	err = errors.Join(
		change(objects, "ConfigMap", func(m *corev1.ConfigMap) {
			if m.Name != ReportMap {
				m.Data = map[string]string{profileFile: o.Text}
			}
		}),
		change(objects, "ClusterRole", func(role *rbacv1.ClusterRole) { role.Rules = everywhere }),
		change(objects, "Job", func(job *batchv1.Job) {
			pod := &job.Spec.Template.Spec
			pod.NodeSelector = o.NodeSelector
			pod.Containers[0].Image, pod.Containers[0].Args = o.Image, o.args()
		}))
	if err != nil {
		return nil, err
	}
	job := objects[len(objects)-1]
	objects = objects[:len(objects)-1]
	for _, namespace := range slices.Sorted(maps.Keys(inNamespace)) {
		roles, err := read("namespaced.yaml")
		if err != nil {
			return nil, err
		}
		for _, object := range roles {
			object.SetNamespace(namespace)
		}
		if err := change(roles, "Role", func(role *rbacv1.Role) { role.Rules = inNamespace[namespace] }); err != nil {
			return nil, err
		}
		objects = append(objects, roles...)
	}
	return append(objects, job), nil
}

// Files and directories of the pod's profile and report.
const (
	profileFile = "profile.yaml"
	profileDir  = "/profile"
	reportDir   = "/report"
)

func (o Options) args() []string {
	return append([]string{
		"cluster", "--in-cluster", "--profile=" + path.Join(profileDir, profileFile), "--workload-image=" + o.WorkloadImage,
		"--report-dir=" + reportDir, "--report-configmap=" + Name + "/" + ReportMap,
	}, o.Args...)
}

// target returns the part of the run's target that determines the rights that it needs on a shared cluster.
func (o Options) target() *harness.Target {
	in := func(socket *profile.Socket) *harness.PodSocket {
		if socket == nil {
			return nil
		}
		return &harness.PodSocket{Namespace: socket.Namespace}
	}
	return &harness.Target{
		Controller: in(o.Profile.Cluster.Controller), Node: in(o.Profile.Cluster.Node),
		Disturb:           harness.Disturb{Nodes: slices.Contains(o.Profile.Cluster.May(false), profile.Nodes)},
		MutableParameters: o.Profile.MutableParameters,
	}
}

// read reads a manifest of this repository.
func read(name string) ([]*unstructured.Unstructured, error) {
	content, err := fixtures.FS().ReadFile("job/" + name)
	if err != nil {
		return nil, err
	}
	var objects []*unstructured.Unstructured
	documents := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(content), len(content))
	for {
		object := &unstructured.Unstructured{}
		err := documents.Decode(object)
		switch {
		case errors.Is(err, io.EOF):
			return objects, nil
		case err != nil:
			return nil, fmt.Errorf("reading fixtures/job/%s: %w", name, err)
		}
		objects = append(objects, object)
	}
}

// change applies with to the typed form of all objects of a kind. Fields that are not in the type are lost.
func change[T any](objects []*unstructured.Unstructured, kind string, with func(*T)) error {
	for _, object := range objects {
		if object.GetKind() != kind {
			continue
		}
		typed := new(T)
		converter := runtime.DefaultUnstructuredConverter
		if err := converter.FromUnstructured(object.Object, typed); err != nil {
			return fmt.Errorf("reading %s %s: %w", kind, object.GetName(), err)
		}
		with(typed)
		content, err := converter.ToUnstructured(typed)
		if err != nil {
			return fmt.Errorf("writing %s %s: %w", kind, object.GetName(), err)
		}
		delete(content, "status")
		unstructured.RemoveNestedField(content, "metadata", "creationTimestamp")
		unstructured.RemoveNestedField(content, "spec", "template", "metadata", "creationTimestamp")
		object.Object = content
	}
	return nil
}
