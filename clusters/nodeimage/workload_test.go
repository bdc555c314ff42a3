// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/crane"
	v1 "github.com/google/go-containerregistry/pkg/v1"
)

func TestCheckReference(t *testing.T) {
	for reference, sound := range map[string]bool{
		"registry.example.com/csi-topo-workload:v1": true, "localhost:5000/a/b:c": true,
		"": false, "workload": false, "registry.example.com/workload": false, "registry.example.com/Workload:v1": false,
	} {
		if err := CheckReference(reference); (err == nil) != sound {
			t.Errorf("%q: %v", reference, err)
		}
	}
}

// TestPushArchive checks that an image in an archive, such as the workload's, can be pushed, and that the registry serves
// it.
func TestPushArchive(t *testing.T) {
	b, out := builder(t)
	image, err := scratch(map[string]file{"bin/busybox": {mode: 0o755, content: []byte("busybox")}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "images.tar")
	if err := save(path, map[string]v1.Image{"localhost/csi-topo-workload:key": image}); err != nil {
		t.Fatal(err)
	}
	reference := registryHere(t) + "/csi-topo-workload:v1"
	if err := b.push(t.Context(), path, reference); err != nil {
		t.Fatal(err)
	}
	want, err := image.Digest()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := crane.Digest(reference); err != nil || got != want.String() {
		t.Errorf("want %s, got %s, %v", want, got, err)
	}
	if !strings.Contains(out.String(), "pushing "+reference) {
		t.Errorf("the step is not shown: %q", out)
	}
	if err := b.push(t.Context(), path, "127.0.0.1:1/csi-topo-workload:v1"); err == nil || !strings.Contains(err.Error(), "docker login") {
		t.Errorf("want a sentence that says what to do, got %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := b.push(t.Context(), path, reference); err == nil {
		t.Error("pushed an archive that is not there")
	}
}
