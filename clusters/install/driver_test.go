// SPDX-License-Identifier: Apache-2.0

package install

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/csi-topo/csi-topo/clusters/nodeimage"
)

const (
	daemonSet = `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: node, namespace: example}
spec:
  template:
    spec:
      initContainers: [{name: first, image: "example.com/first:1"}]
      containers: [{name: driver, image: example-driver}]
`
	deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: controller, namespace: example}
spec:
  template:
    spec:
      nodeSelector: {node-role.kubernetes.io/control-plane: ""}
      containers: [{name: driver, image: example-driver}, {name: sidecar, image: "example.com/sidecar:1"}]
`
	namespace = `apiVersion: v1
kind: Namespace
metadata: {name: example}
`
)

// write puts files into a new directory.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func names(objects []*unstructured.Unstructured) []string {
	var all []string
	for _, object := range objects {
		all = append(all, object.GetKind()+" "+object.GetName())
	}
	return all
}

func imagesOf(t *testing.T, object *unstructured.Unstructured) []string {
	t.Helper()
	var images []string
	eachPodSpec(object.Object, func(spec map[string]any) {
		for _, container := range spec["containers"].([]any) {
			images = append(images, container.(map[string]any)["image"].(string))
		}
	})
	return images
}

func TestObjects(t *testing.T) {
	folder := write(t, map[string]string{"a.yaml": daemonSet, "b.yaml": deployment, "c.yml": namespace, "README.md": "not one"})
	kustomization := write(t, map[string]string{"a.yaml": daemonSet, "kustomization.yaml": "resources: [a.yaml, " + filepath.Join(folder, "c.yml") + "]\n"})
	other := write(t, map[string]string{"a.yaml": namespace, "kustomization.yaml": "resources: [a.yaml]\n"})
	for _, c := range []struct {
		name     string
		given    Driver
		registry bool
		want     []string
	}{
		{"a folder, namespaces first", Driver{Manifests: folder}, true, []string{"Namespace example", "Deployment controller", "DaemonSet node"}},
		{"a file", Driver{Manifests: filepath.Join(folder, "b.yaml")}, true, []string{"Deployment controller"}},
		{"a kustomization that names a file elsewhere", Driver{Kustomization: kustomization}, false, []string{"Namespace example", "DaemonSet node"}},
		{"another where no registry is", Driver{Kustomization: kustomization, WithoutRegistry: other}, false, []string{"Namespace example"}},
		{"not where one is", Driver{Kustomization: kustomization, WithoutRegistry: other}, true, []string{"Namespace example", "DaemonSet node"}},
		{"a command", Driver{Command: []string{"true"}}, true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.given.Objects(c.registry, nil)
			if err != nil || !slices.Equal(names(got), c.want) {
				t.Errorf("got %v, %v, want %v", names(got), err, c.want)
			}
		})
	}
	if _, err := (Driver{Manifests: t.TempDir()}).Objects(true, nil); err == nil {
		t.Error("an empty folder: want an error")
	}
}

func TestObjectsWithImages(t *testing.T) {
	driver := Driver{Manifests: filepath.Join(write(t, map[string]string{"a.yaml": daemonSet}), "a.yaml")}
	for _, c := range []struct{ name, given string }{
		{"a tag", "other/driver:1"},
		{"a registry with a port", "localhost:5000/driver:1"},
		{"a digest", "other/driver@sha256:" + strings.Repeat("a", 64)},
		{"neither", "localhost:5000/driver"},
	} {
		t.Run(c.name, func(t *testing.T) {
			objects, err := driver.Objects(true, map[string]string{"example-driver": c.given})
			if err != nil {
				t.Fatal(err)
			}
			if got := imagesOf(t, objects[0]); !slices.Equal(got, []string{c.given}) {
				t.Errorf("the images are %v, want %s", got, c.given)
			}
		})
	}
}

func TestRuns(t *testing.T) {
	published := write(t, map[string]string{"a.yaml": daemonSet, "kustomization.yaml": "resources: [a.yaml]\n"})
	selfServed := write(t, map[string]string{"b.yaml": deployment, "kustomization.yaml": "resources: [b.yaml]\n"})
	driver := Driver{Kustomization: published, WithoutRegistry: selfServed}
	for _, c := range []struct {
		name  string
		given Driver
		built bool
		image string
		want  bool
	}{
		{"one of its images", driver, true, "example.com/sidecar:1", true},
		{"one that it runs only where a registry is", driver, true, "example.com/first:1", false},
		{"none of them", driver, false, "example.com/sidecar:2", false},
		{"whatever a command installs", Driver{Command: []string{"true"}}, true, "example.com/sidecar:2", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := c.given.Runs(c.built, []string{c.image}); got != c.want || err != nil {
				t.Errorf("got %v, %v, want %v", got, err, c.want)
			}
		})
	}
	if _, err := (Driver{Manifests: t.TempDir()}).Runs(true, nil); err == nil {
		t.Error("an empty folder: want an error")
	}
}

func TestPlaceOf(t *testing.T) {
	objects, err := Driver{Manifests: write(t, map[string]string{"a.yaml": daemonSet, "b.yaml": deployment})}.Objects(true, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		image string
		want  Place
	}{
		{"example.com/sidecar:1", ControlPlane},
		{"example.com/sidecar:2", Nowhere},
		{"example.com/first:1", EveryNode},
		{"example-driver", EveryNode},
	} {
		if got := PlaceOf(objects, []string{"another", c.image}); got != c.want {
			t.Errorf("%s is needed at %d, want %d", c.image, got, c.want)
		}
	}
}

func TestWorkloadsOf(t *testing.T) {
	objects, err := Driver{Manifests: write(t, map[string]string{"a.yaml": daemonSet, "b.yaml": namespace})}.Objects(true, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := workloadsOf(objects); !slices.Equal(got, []Workload{{"DaemonSet", "example", "node"}}) {
		t.Errorf("got %v", got)
	}
}

func TestCheck(t *testing.T) {
	dir := write(t, map[string]string{"kustomization.yaml": "", "main.go": "package main", "images.tar": ""})
	sound := Driver{Name: "d", Kustomization: dir, Archives: []string{filepath.Join(dir, "images.tar")}, Programs: map[string]nodeimage.Program{"d": {Dir: dir}}}
	if err := sound.Check(); err != nil {
		t.Error(err)
	}
	empty := t.TempDir()
	for _, c := range []struct {
		name  string
		given Driver
		want  string
	}{
		{"a kustomization without its file", Driver{Kustomization: empty}, "by the kustomization " + empty},
		{"the one that needs no registry", Driver{Kustomization: dir, WithoutRegistry: empty}, "by the kustomization " + empty},
		{"manifests", Driver{Manifests: filepath.Join(empty, "a")}, "by the manifests in "},
		{"an archive", Driver{Archives: []string{empty}}, "needs the image archive " + empty},
		{"a program without source", Driver{Programs: map[string]nodeimage.Program{"d": {Dir: empty}}}, "needs the image d"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.given.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

func TestCheckSame(t *testing.T) {
	dir := t.TempDir()
	central, local := Driver{Name: "d", Kustomization: "/central"}, Driver{Name: "d", Kustomization: "/local"}
	if err := local.CheckSame(dir); err != nil {
		t.Errorf("in a cluster without a driver: %v", err)
	}
	if err := central.Record(dir); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		given Driver
		ok    bool
	}{
		{"the same", central, true},
		{"the same driver otherwise", local, false},
		{"another driver", Driver{Name: "e", Kustomization: "/local"}, true},
		{"as it is", Driver{Name: "d"}, true},
	} {
		if err := c.given.CheckSame(dir); (err == nil) != c.ok {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
}

func TestRun(t *testing.T) {
	driver := Driver{Name: "d", Dir: write(t, map[string]string{"deploy.sh": "echo \"on $KUBECONFIG\"; exit $1\n"})}
	var log bytes.Buffer
	driver.Command = []string{"sh", "deploy.sh", "0"}
	if err := driver.Run(t.Context(), "/the/kubeconfig", &log); err != nil || log.String() != "on /the/kubeconfig\n" {
		t.Errorf("got %v and %q", err, log.String())
	}
	driver.Command = []string{"sh", "deploy.sh", "3"}
	if err := driver.Run(t.Context(), "/the/kubeconfig", &log); err == nil || !strings.Contains(err.Error(), "sh deploy.sh 3: exit status 3") {
		t.Errorf("got %v, want an error with the command and its status", err)
	}
}
