// SPDX-License-Identifier: Apache-2.0

package memory_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/memory"
)

// TestMemoryKeepsData checks that data written at a target path is in the volume, and in its snapshots and copies.
func TestMemoryKeepsData(t *testing.T) {
	for _, test := range []struct {
		name  string
		block bool
		file  string // below the target path
	}{
		{"file system", false, "file"},
		{"block device", true, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			data, dir := t.TempDir(), t.TempDir()
			memory := memory.NewIn(data)
			write(t, filepath.Join(publish(t, memory, "v", filepath.Join(dir, "one"), test.block), test.file), "data")

			if got := read(t, filepath.Join(publish(t, memory, "v", filepath.Join(dir, "other"), test.block), test.file)); got != "data" {
				t.Errorf("the other target path has %q", got)
			}
			if err := memory.CreateSnapshot(t.Context(), "s", "v"); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "one", test.file), "more")
			for name, from := range map[string]volume.Origin{"restored": {SnapshotID: "s"}, "cloned": {VolumeID: "v"}} {
				if err := memory.Create(t.Context(), name, volume.Size{Bytes: 200}, from); err != nil {
					t.Fatal(err)
				}
				want := map[string]string{"restored": "data", "cloned": "more"}[name]
				if got := read(t, filepath.Join(publish(t, memory, name, filepath.Join(dir, name), test.block), test.file)); got != want {
					t.Errorf("the %s volume has %q, want %q", name, got, want)
				}
			}
			if err := memory.Delete(t.Context(), "v"); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(filepath.Join(data, "volumes", "v")); !os.IsNotExist(err) {
				t.Errorf("the data of a deleted volume is still there: %v", err)
			}
			if err := memory.Unpublish(t.Context(), "cloned", filepath.Join(dir, "cloned")); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Lstat(filepath.Join(dir, "cloned")); !os.IsNotExist(err) {
				t.Errorf("the target path is still there: %v", err)
			}
		})
	}
}

// TestMemoryGrowsDevices checks that a device that has grown has room beyond its old end.
func TestMemoryGrowsDevices(t *testing.T) {
	memory, dir := memory.NewIn(t.TempDir()), t.TempDir()
	target := publish(t, memory, "v", filepath.Join(dir, "target"), true)
	if err := memory.Resize(t.Context(), "v", volume.Size{Bytes: 300}); err != nil {
		t.Fatal(err)
	}
	if _, err := memory.Expand(t.Context(), "v", target); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(target); err != nil || info.Size() != 300 {
		t.Errorf("the device is %v (%v), want 300 bytes", info, err)
	}
}

// publish creates the volume if it does not exist, stages it, and publishes it at the path.
func publish(t *testing.T, memory *memory.Volumes, id, target string, block bool) string {
	t.Helper()
	staging := t.TempDir()
	for _, step := range []func(context.Context) error{
		func(ctx context.Context) error {
			return memory.Create(ctx, id, volume.Size{Bytes: 100}, volume.Origin{})
		},
		func(ctx context.Context) error {
			return memory.Stage(ctx, id, staging, volume.StageOptions{Block: block})
		},
		func(ctx context.Context) error {
			return memory.Publish(ctx, id, staging, target, volume.PublishOptions{Block: block})
		},
	} {
		if err := step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return target
}

func write(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	const length = 4
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	data := make([]byte, length)
	if _, err := file.Read(data); err != nil {
		t.Fatal(err)
	}
	return string(data)
}
