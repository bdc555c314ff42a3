// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

func TestCheckPrefix(t *testing.T) {
	for prefix, sound := range map[string]bool{
		"": true, "registry.example.com": true, "registry.example.com/mirror": true, "localhost:5000/a/b": true,
		"mirror": false, "mirror/of/images": false, "registry.example.com/": false, "registry.example.com/Mirror": false, "https://registry.example.com": false,
	} {
		if err := CheckPrefix(prefix); (err == nil) != sound {
			t.Errorf("%q: %v", prefix, err)
		}
	}
}

func TestMirrored(t *testing.T) {
	for _, c := range []struct{ image, prefix, want string }{
		{"registry.k8s.io/sig-storage/csi-provisioner:v6", "", "registry.k8s.io/sig-storage/csi-provisioner:v6"},
		{"registry.k8s.io/sig-storage/csi-provisioner:v6", "registry.example.com/mirror", "registry.example.com/mirror/sig-storage/csi-provisioner:v6"},
		{"docker.io/kindest/node:v1@sha256:0", "localhost:5000", "localhost:5000/kindest/node:v1@sha256:0"},
	} {
		if got := Mirrored(c.image, c.prefix); got != c.want {
			t.Errorf("%s below %q: want %s, got %s", c.image, c.prefix, c.want, got)
		}
	}
}

// TestPublishedFor checks that every published image is listed, by a name with a registry, which Mirrored can replace.
func TestPublishedFor(t *testing.T) {
	published := Published()
	images, err := published.For(DefaultMinor)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range slices.Concat([]string{published.Node[DefaultMinor], published.Debian}, published.Controller, published.BesideNode, published.Snapshots) {
		if !slices.Contains(images, want) || !strings.Contains(firstPart(want), ".") {
			t.Errorf("%s is not in the list with its registry: %q", want, images)
		}
	}
	if _, err := published.For("1.2"); err == nil {
		t.Error("a minor that is not known: want an error")
	}
	if _, err := (PublishedImages{}).For(DefaultMinor); err == nil {
		t.Error("a minor without a published node: want an error")
	}
}

// TestPullArchiveFromAMirror checks that an image from a mirror has its own name in the archive.
func TestPullArchiveFromAMirror(t *testing.T) {
	registry := registryHere(t)
	push(t, registry+"/mirror/sig-storage/csi-provisioner:v6")
	b, _ := builder(t)
	b.Prefix = registry + "/mirror"
	const own = "registry.k8s.io/sig-storage/csi-provisioner:v6"
	archive, err := b.pullArchive(t.Context(), "sidecars", []string{own})
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := tarball.LoadManifest(func() (io.ReadCloser, error) { return os.Open(archive.Path) })
	if err != nil {
		t.Fatal(err)
	}
	if len(manifest) != 1 || !slices.Equal(manifest[0].RepoTags, []string{own}) {
		t.Errorf("want %s in the archive, got %+v", own, manifest)
	}
	b.Prefix = registry + "/elsewhere"
	if _, err := b.pullArchive(t.Context(), "sidecars", []string{own}); err == nil || !strings.Contains(err.Error(), registry+"/elsewhere/sig-storage") {
		t.Errorf("want an error that names where it was looked for, got %v", err)
	}
}
