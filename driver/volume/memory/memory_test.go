// SPDX-License-Identifier: Apache-2.0

package memory_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/memory"
)

func TestMemory(t *testing.T) {
	for _, test := range []struct {
		name  string
		block bool
	}{
		{name: "file system"},
		{name: "block device", block: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, memory, directory := t.Context(), memory.New(), t.TempDir()
			target := filepath.Join(directory, "target")
			steps := func(calls ...func() error) {
				t.Helper()
				for i, call := range calls {
					for range 2 { // every call is idempotent
						if err := call(); err != nil {
							t.Fatalf("step %d: %v", i, err)
						}
					}
				}
			}
			sized := func(path string, bytes int64) func() error {
				want := volume.Usage{Block: test.block, TotalBytes: bytes}
				if !test.block {
					want.AvailableBytes = bytes
				}
				return func() error {
					t.Helper()
					usage, err := memory.Usage(ctx, "v", path)
					if err == nil && usage != want {
						t.Errorf("%s has %+v, want %+v", path, usage, want)
					}
					return err
				}
			}
			steps(
				func() error { return memory.Create(ctx, "v", volume.Size{Bytes: 100}, volume.Origin{}) },
				func() error { return memory.Stage(ctx, "v", directory, volume.StageOptions{Block: test.block}) },
				func() error {
					return memory.Publish(ctx, "v", directory, target, volume.PublishOptions{Block: test.block})
				},
				sized(target, 100),
				func() error { return memory.Resize(ctx, "v", volume.Size{Bytes: 200}) },
				func() error { return memory.Resize(ctx, "v", volume.Size{Bytes: 150}) },
				sized(target, 100), // until the node expands it
				func() error {
					size, err := memory.Expand(ctx, "v", target)
					if size != 200 {
						t.Errorf("expanded to %d bytes, want 200", size)
					}
					return err
				},
				sized(target, 200),
				sized(directory, 200),
			)
			if info, err := os.Stat(target); err != nil || info.IsDir() == test.block {
				t.Errorf("the target path is %v (%v), block: %t", info, err, test.block)
			}
			for _, check := range []func() ([]volume.Problem, error){
				func() ([]volume.Problem, error) { return memory.CheckAt(ctx, "v", directory, target) },
				func() ([]volume.Problem, error) { return memory.CheckStorage(ctx) },
			} {
				if problems, err := check(); err != nil || len(problems) > 0 {
					t.Errorf("found %v (%v), want nothing", problems, err)
				}
			}
			steps(
				func() error { return memory.Unpublish(ctx, "v", target) },
				func() error { return memory.Unstage(ctx, "v", directory) },
			)
			if _, err := os.Stat(target); !os.IsNotExist(err) {
				t.Errorf("the target path is still there: %v", err)
			}
			steps(func() error { return memory.Delete(ctx, "v") })
			if ids := memory.IDs(); len(ids) != 0 {
				t.Errorf("there are volumes %v", ids)
			}
		})
	}
}

// TestMemorySnapshotsAndCopies checks that a copy is independent of its source.
func TestMemorySnapshotsAndCopies(t *testing.T) {
	ctx, memory := t.Context(), memory.New()
	size := volume.Size{Bytes: 100}
	for range 2 {
		for _, err := range []error{
			memory.Create(ctx, "v", size, volume.Origin{}),
			memory.CreateSnapshot(ctx, "s", "v"),
			memory.Create(ctx, "clone", size, volume.Origin{VolumeID: "v"}),
			memory.Create(ctx, "restored", size, volume.Origin{SnapshotID: "s"}),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if ids := memory.SnapshotIDs(); !slices.Equal(ids, []string{"s"}) {
		t.Errorf("there are snapshots %v", ids)
	}
	for range 2 {
		if err := errors.Join(memory.DeleteSnapshot(ctx, "s"), memory.Delete(ctx, "v")); err != nil {
			t.Fatal(err)
		}
	}
	if ids := memory.SnapshotIDs(); len(ids) != 0 {
		t.Errorf("there are snapshots %v", ids)
	}
	ids := memory.IDs()
	slices.Sort(ids)
	if !slices.Equal(ids, []string{"clone", "restored"}) {
		t.Errorf("there are volumes %v", ids)
	}
}

func TestMemoryCheck(t *testing.T) {
	for _, test := range []struct {
		name string
		id   string
		size volume.Size
		want string // the reason
	}{
		{name: "as it should be", id: "v", size: volume.Size{Bytes: 100}},
		{name: "lost", id: "x", size: volume.Size{Bytes: 100}, want: "VolumeMissing"},
		{name: "too small", id: "v", size: volume.Size{Bytes: 101}, want: "VolumeTruncated"},
	} {
		t.Run(test.name, func(t *testing.T) {
			memory := memory.New()
			if err := memory.Create(t.Context(), "v", volume.Size{Bytes: 100}, volume.Origin{}); err != nil {
				t.Fatal(err)
			}
			problems, err := memory.Check(t.Context(), test.id, test.size)
			if err != nil {
				t.Fatal(err)
			}
			if test.want == "" && len(problems) > 0 || test.want != "" && (len(problems) != 1 || problems[0].Reason != test.want || problems[0].Severity != volume.DataLoss) {
				t.Errorf("found %+v, want %q", problems, test.want)
			}
		})
	}
}

func TestMemoryRefuses(t *testing.T) {
	size := volume.Size{Bytes: 100}
	for _, test := range []struct {
		name string
		call func(m *memory.Volumes, directory string) error
		want error
	}{
		{"staging an unknown volume", func(m *memory.Volumes, d string) error { return m.Stage(t.Context(), "x", d, volume.StageOptions{}) }, volume.ErrNotFound},
		{"staging at what is no directory", func(m *memory.Volumes, d string) error {
			return m.Stage(t.Context(), "v", d+"/none", volume.StageOptions{})
		}, volume.ErrInvalid},
		{"staging in another way", func(m *memory.Volumes, d string) error {
			return m.Stage(t.Context(), "v", d, volume.StageOptions{ReadOnly: true})
		}, volume.ErrIncompatible},
		{"staging as a block device", func(m *memory.Volumes, d string) error {
			return m.Stage(t.Context(), "v", d, volume.StageOptions{Block: true})
		}, volume.ErrIncompatible},
		{"unstaging an unknown volume", func(m *memory.Volumes, d string) error { return m.Unstage(t.Context(), "x", d) }, volume.ErrNotFound},
		{"publishing an unknown volume", func(m *memory.Volumes, d string) error {
			return m.Publish(t.Context(), "x", d, d+"/t2", volume.PublishOptions{})
		}, volume.ErrNotFound},
		{"publishing what is not staged there", func(m *memory.Volumes, d string) error {
			return m.Publish(t.Context(), "v", d+"/other", d+"/t2", volume.PublishOptions{})
		}, volume.ErrRefused},
		{"publishing as a block device", func(m *memory.Volumes, d string) error {
			return m.Publish(t.Context(), "v", d, d+"/t2", volume.PublishOptions{Block: true})
		}, volume.ErrRefused},
		{"publishing in another way", func(m *memory.Volumes, d string) error {
			return m.Publish(t.Context(), "v", d, d+"/t", volume.PublishOptions{ReadOnly: true})
		}, volume.ErrIncompatible},
		{"unpublishing an unknown volume", func(m *memory.Volumes, d string) error { return m.Unpublish(t.Context(), "x", d+"/t2") }, volume.ErrNotFound},
		{"expanding elsewhere", func(m *memory.Volumes, d string) error {
			_, err := m.Expand(t.Context(), "v", d+"/other")
			return err
		}, volume.ErrNotFound},
		{"the usage elsewhere", func(m *memory.Volumes, d string) error {
			_, err := m.Usage(t.Context(), "v", d+"/other")
			return err
		}, volume.ErrNotFound},
		{"creating a volume that is there, smaller", func(m *memory.Volumes, _ string) error {
			return m.Create(t.Context(), "v", volume.Size{Bytes: 101}, volume.Origin{})
		}, volume.ErrIncompatible},
		{"cloning an unknown volume", func(m *memory.Volumes, _ string) error {
			return m.Create(t.Context(), "w", size, volume.Origin{VolumeID: "x"})
		}, volume.ErrNotFound},
		{"restoring an unknown snapshot", func(m *memory.Volumes, _ string) error {
			return m.Create(t.Context(), "w", size, volume.Origin{SnapshotID: "v"})
		}, volume.ErrNotFound},
		{"a snapshot of an unknown volume", func(m *memory.Volumes, _ string) error { return m.CreateSnapshot(t.Context(), "s", "x") }, volume.ErrNotFound},
		{"resizing an unknown volume", func(m *memory.Volumes, _ string) error { return m.Resize(t.Context(), "x", size) }, volume.ErrNotFound},
		{"the size of an unknown volume", func(m *memory.Volumes, _ string) error {
			_, err := m.Size(t.Context(), "x")
			return err
		}, volume.ErrNotFound},
		{"checking an unknown volume on a node", func(m *memory.Volumes, d string) error {
			_, err := m.CheckAt(t.Context(), "x", d, "")
			return err
		}, volume.ErrNotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			memory, directory := memory.New(), t.TempDir()
			for _, err := range []error{
				memory.Create(t.Context(), "v", size, volume.Origin{}),
				memory.Stage(t.Context(), "v", directory, volume.StageOptions{}),
				memory.Publish(t.Context(), "v", directory, directory+"/t", volume.PublishOptions{}),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := test.call(memory, directory); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

// TestMemoryKeepsWhatIsInATargetDirectory checks that a target directory with content,
// and a file in it, are not removed.
func TestMemoryKeepsWhatIsInATargetDirectory(t *testing.T) {
	ctx, memory, directory := t.Context(), memory.New(), t.TempDir()
	if err := memory.Create(ctx, "v", volume.Size{Bytes: 100}, volume.Origin{}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(directory, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{directory, file} {
		if err := memory.Unpublish(ctx, "v", target); err == nil {
			t.Errorf("%s was unpublished", target)
		}
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}
