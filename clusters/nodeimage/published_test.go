// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"bytes"
	"io"
	"log"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/crane"
	"github.com/google/go-containerregistry/pkg/registry"

	"github.com/csi-topo/csi-topo/clusters/cache"
	"github.com/csi-topo/csi-topo/clusters/progress"
)

// registryHere serves images on loopback until the test ends, and returns its address.
func registryHere(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

func push(t *testing.T, image string) string {
	t.Helper()
	content, err := scratch(map[string]file{"program": {mode: 0o755, content: []byte(image)}}, "/program")
	if err != nil {
		t.Fatal(err)
	}
	if err := crane.Push(content, image); err != nil {
		t.Fatal(err)
	}
	digest, err := content.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return image + "@" + digest.String()
}

func builder(t *testing.T) (*Builder, *bytes.Buffer) {
	t.Helper()
	out := &bytes.Buffer{}
	return &Builder{Source: t.TempDir(), Cache: cache.At(t.TempDir()), Progress: progress.New(out, t.TempDir())}, out
}

func TestShouldBuild(t *testing.T) {
	there := push(t, registryHere(t)+"/kindest/node:v1")
	gone := httptest.NewServer(nil)
	nowhere := strings.TrimPrefix(gone.URL, "http://") + "/kindest/node:v1@sha256:" + strings.Repeat("0", 64)
	gone.Close()
	cases := []struct {
		name  string
		node  string
		mode  Mode
		build bool
		fails string
	}{
		{"auto pulls where a registry answers", there, Auto, false, ""},
		{"auto builds where none does", nowhere, Auto, true, ""},
		{"build never asks", there, Build, true, ""},
		{"pull wants an answer", nowhere, Pull, false, "build the images with --images=build"},
		{"pull wants a published image", "", Pull, false, "no published node image"},
		{"auto builds what is not published", "", Auto, true, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b, _ := builder(t)
			published := PublishedImages{Node: map[string]string{}}
			if c.node != "" {
				published.Node[DefaultMinor] = c.node
			}
			start := time.Now()
			got, err := b.shouldBuild(t.Context(), published, DefaultMinor, c.mode)
			if took := time.Since(start); took > 2*answerWithin {
				t.Errorf("it took %s to decide", took)
			}
			if c.fails == "" && err != nil || c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) {
				t.Fatalf("want error %q, got %v", c.fails, err)
			}
			if got != c.build {
				t.Errorf("want build=%v, got %v", c.build, got)
			}
		})
	}
}

func TestPulledImagesAreKeptUnderTheirNames(t *testing.T) {
	host := registryHere(t)
	images := []string{host + "/csi-attacher:v1", host + "/csi-resizer:v1"}
	for _, image := range images {
		push(t, image)
	}
	b, out := builder(t)
	for range 2 {
		archive, err := b.pullArchive(t.Context(), "sidecars", images)
		if err != nil {
			t.Fatal(err)
		}
		for _, image := range images {
			if _, err := crane.LoadTag(archive.Path, image); err != nil {
				t.Errorf("%s is not in the archive: %v", image, err)
			}
		}
	}
	if pulls := strings.Count(out.String(), "✓ pulling"); pulls != 1 {
		t.Errorf("want one pull for two calls, got %d:\n%s", pulls, out)
	}
}

func TestOnlySidecarsThatRunAreFetched(t *testing.T) {
	host := registryHere(t)
	published := PublishedImages{Controller: []string{host + "/csi-attacher:v1"}, Snapshots: []string{host + "/csi-snapshotter:v1"}}
	push(t, published.Controller[0])
	b, out := builder(t)
	b.Runs = func(built bool, images []string) (bool, error) {
		return !built && slices.Equal(images, published.Controller), nil
	}

	archives, err := b.ensureSidecars(t.Context(), false, published)

	if err != nil || len(archives) != 1 || !slices.Equal(archives[0].Images, published.Controller) {
		t.Errorf("want the archive of %v alone, got %v, %v\n%s", published.Controller, archives, err, out)
	}
}

func TestSidecarsAreBuiltUnderPublishedNames(t *testing.T) {
	b, _ := builder(t)
	published := Published()
	sets, err := b.builtSidecars()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]string{published.Controller, published.Snapshots} {
		if got := sets[i].images; !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("%v are built, and %v are published", got, want)
		}
	}
}
