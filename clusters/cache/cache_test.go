// SPDX-License-Identifier: Apache-2.0

package cache_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/csi-topo/csi-topo/clusters/cache"
)

func TestEntryIsFilledOnceBySeveralCallers(t *testing.T) {
	dir := cache.At(t.TempDir())
	var fills atomic.Int32
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() {
			entry, err := dir.Entry(t.Context(), "images", "k", func(_ context.Context, dir string) error {
				fills.Add(1)
				return os.WriteFile(filepath.Join(dir, "f"), []byte("x"), 0o644)
			})
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := os.Stat(filepath.Join(entry, "f")); err != nil {
				t.Errorf("the entry is not complete: %v", err)
			}
		})
	}
	callers.Wait()
	if got := fills.Load(); got != 1 {
		t.Errorf("want 1 fill, got %d", got)
	}
}

func TestEntryThatFailedIsNotKept(t *testing.T) {
	dir := cache.At(t.TempDir())
	broken := errors.New("broken")
	_, err := dir.Entry(t.Context(), "images", "k", func(_ context.Context, dir string) error {
		return errors.Join(broken, os.WriteFile(filepath.Join(dir, "half"), nil, 0o644))
	})
	if !errors.Is(err, broken) {
		t.Fatalf("want the fill's error, got %v", err)
	}
	if dir.Has("images", "k") {
		t.Error("a failed fill was kept as an entry")
	}
	if _, err := dir.Entry(t.Context(), "images", "k", func(_ context.Context, dir string) error {
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Errorf("the second fill found %v left by the first", left)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func TestKeysDiffer(t *testing.T) {
	cases := []struct {
		name        string
		given, than string
	}{
		{"other part", cache.Key("a"), cache.Key("b")},
		{"other split", cache.Key("ab", "c"), cache.Key("a", "bc")},
		{"other order", cache.Key("a", "b"), cache.Key("b", "a")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.given == c.than {
				t.Errorf("want different keys, got %s twice", c.given)
			}
		})
	}
}

func TestKeyOfFilesSeesNamesAndContents(t *testing.T) {
	key := func(files fstest.MapFS) string {
		t.Helper()
		got, err := cache.KeyOfFiles(files)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	base := key(fstest.MapFS{"a": {Data: []byte("1")}})
	if base != key(fstest.MapFS{"a": {Data: []byte("1")}}) {
		t.Error("the same files have two keys")
	}
	if base == key(fstest.MapFS{"b": {Data: []byte("1")}}) || base == key(fstest.MapFS{"a": {Data: []byte("2")}}) {
		t.Error("a renamed or changed file has the same key")
	}
}
