// SPDX-License-Identifier: Apache-2.0

package job

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	ktesting "k8s.io/client-go/testing"
)

// incompressible returns text of the given number of bytes, which compresses to half at
// best.
func incompressible(bytes int) []byte {
	random := rand.NewChaCha8([32]byte{})
	content := make([]byte, bytes/2)
	_, _ = random.Read(content) // It never fails.
	return []byte(hex.EncodeToString(content))
}

func keeperOf(t *testing.T, objects ...runtime.Object) (Keeper, *fake.Clientset) {
	t.Helper()
	kube := fake.NewClientset(objects...)
	keeper, err := NewKeeper(kube, Name+"/"+ReportMap)
	if err != nil {
		t.Fatal(err)
	}
	return keeper, kube
}

func empty() *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: Name, Name: ReportMap}}
}

func TestKeepAndFetch(t *testing.T) {
	for _, c := range []struct {
		name                   string
		yaml, html, junit      []byte
		text, binary, tooLarge []string
	}{
		{name: "all of it fits", yaml: []byte("a"), html: []byte("b"), junit: []byte("c"), text: []string{"junit.xml", "report.html", "report.yaml"}},
		{
			name: "the page is too large for text", yaml: []byte("a"), html: bytes.Repeat([]byte("page "), roomBytes), junit: []byte("c"),
			text: []string{"junit.xml", "report.yaml"}, binary: []string{"report.html.gz"},
		},
		{
			name: "there is no room for the last", yaml: incompressible(roomBytes - 10), html: []byte("page"), junit: incompressible(roomBytes),
			text: []string{"report.html", "report.yaml"}, tooLarge: []string{"junit.xml"},
		},
		{
			name: "all are too large for text", yaml: incompressible(roomBytes + 2), html: bytes.Repeat([]byte("page "), roomBytes), junit: incompressible(roomBytes),
			binary: []string{"report.html.gz", "report.yaml.gz"}, tooLarge: []string{"junit.xml"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			keeper, kube := keeperOf(t, empty())
			dir, back := t.TempDir(), t.TempDir()
			written := map[string][]byte{"report.yaml": c.yaml, "report.html": c.html, "junit.xml": c.junit}
			for name, content := range written {
				if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := keeper.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
			tooLarge, err := keeper.Keep(t.Context(), dir)
			if err != nil || !slices.Equal(tooLarge, c.tooLarge) {
				t.Errorf("want %q left out, got %q, %v", c.tooLarge, tooLarge, err)
			}
			wantKeys(t, kube, c.text, c.binary)
			if err := keeper.Fetch(t.Context(), back); err != nil {
				t.Fatal(err)
			}
			for name, want := range written {
				got, err := os.ReadFile(filepath.Join(back, name))
				if slices.Contains(c.tooLarge, name) {
					if err == nil {
						t.Errorf("%s came back, which was left out", name)
					}
					continue
				}
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s came back as another: %d bytes, want %d, %v", name, len(got), len(want), err)
				}
			}
		})
	}
}

// wantKeys checks that the ConfigMap has these files, within its limit.
func wantKeys(t *testing.T, kube *fake.Clientset, text, binary []string) {
	t.Helper()
	kept, err := kube.CoreV1().ConfigMaps(Name).Get(t.Context(), ReportMap, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var gotText, gotBinary []string
	size := 0
	for name, content := range kept.Data {
		gotText, size = append(gotText, name), size+len(content)
	}
	for name, content := range kept.BinaryData {
		gotBinary, size = append(gotBinary, name), size+len(content)
	}
	slices.Sort(gotText)
	slices.Sort(gotBinary)
	if !slices.Equal(gotText, text) || !slices.Equal(gotBinary, binary) || size > 1<<20 {
		t.Errorf("want %q as text and %q compressed, got %q and %q, %d bytes", text, binary, gotText, gotBinary, size)
	}
}

func TestKeeperRefuses(t *testing.T) {
	for _, reference := range []string{"", "report", "/report", "namespace/", "a/b/c"} {
		if _, err := NewKeeper(fake.NewClientset(), reference); err == nil {
			t.Errorf("%q: want an error", reference)
		}
	}
	nowhere, _ := keeperOf(t)
	if err := nowhere.Check(t.Context()); err == nil {
		t.Error("no ConfigMap: want an error")
	}
	there, kube := keeperOf(t, empty())
	if err := there.Fetch(t.Context(), t.TempDir()); err == nil {
		t.Error("no report: want an error")
	}
	kube.PrependReactor("update", "configmaps", func(action ktesting.Action) (bool, runtime.Object, error) {
		if dry := action.(ktesting.UpdateActionImpl).GetUpdateOptions().DryRun; !slices.Equal(dry, []string{metav1.DryRunAll}) {
			t.Errorf("a check that changes something: %q", dry)
		}
		return true, nil, errors.New("forbidden")
	})
	if err := there.Check(context.Background()); err == nil {
		t.Error("no right to update: want an error")
	}
}
