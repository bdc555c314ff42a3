// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// TestJobIsPrinted checks that the output consists of documents that kubectl can apply, and that the Job's arguments end
// with the run's flags.
func TestJobIsPrinted(t *testing.T) {
	p := program(t, "", "job", "--image", "registry.example.com/csi-topo:v1", "--workload-image", "registry.example.com/csi-topo-workload:v1",
		"--node-selector", "kubernetes.io/arch=amd64", "--", "--label", "smoke")
	if p.exit != report.ExitPassed || p.errOut != "" {
		t.Fatalf("exit status %d: %s", p.exit, p.errOut)
	}
	kinds := map[string]int{}
	for document := range strings.SplitSeq(strings.TrimPrefix(p.out, "---\n"), "\n---\n") {
		var object struct{ Kind string }
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			t.Fatalf("%v in:\n%s", err, document)
		}
		kinds[object.Kind]++
	}
	for _, want := range []string{"Namespace", "ServiceAccount", "ConfigMap", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding", "Job"} {
		if kinds[want] == 0 {
			t.Errorf("there is no %s: %v", want, kinds)
		}
	}
	for _, want := range []string{"        - --label\n        - smoke\n", "kubernetes.io/arch: amd64", "driver: hostpath.topo.csi"} {
		if !strings.Contains(p.out, want) {
			t.Errorf("want %q in:\n%s", want, p.out)
		}
	}
	p.leftNothingBehind(t)
}

func TestImagesAreListed(t *testing.T) {
	names := strings.Fields(program(t, "", "images", "--list").out)
	p := program(t, "", "images", "--list", "--image-prefix", "registry.example.com/mirror")
	mirrored := strings.Fields(p.out)
	if p.exit != report.ExitPassed || len(names) < 9 || len(mirrored) != 2*len(names) {
		t.Fatalf("exit status %d: %s; names: %q, with a prefix: %q", p.exit, p.errOut, names, mirrored)
	}
	for i, name := range names {
		_, path, _ := strings.Cut(name, "/")
		if mirrored[2*i] != name || mirrored[2*i+1] != "registry.example.com/mirror/"+path {
			t.Errorf("want %s and its name below the prefix, got %q", name, mirrored[2*i:2*i+2])
		}
	}
	p.leftNothingBehind(t)
}
