package volume_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/csi-topo/csi-topo/driver/volume"
)

func TestMemory(t *testing.T) {
	ctx, memory, directory := t.Context(), volume.NewMemory(), t.TempDir()
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
	sized := func(path string, want int64) func() error {
		return func() error {
			t.Helper()
			usage, err := memory.Usage(ctx, "v", path)
			if err == nil && (usage.TotalBytes != want || usage.AvailableBytes != want) {
				t.Errorf("%s has %+v, want %d bytes, all free", path, usage, want)
			}
			return err
		}
	}
	steps(
		func() error { return memory.Create(ctx, "v", 100) },
		func() error { return memory.Stage(ctx, "v", directory, volume.StageOptions{}) },
		func() error { return memory.Publish(ctx, "v", directory, target, false) },
		sized(target, 100),
		func() error { return memory.Grow(ctx, "v", 200) },
		func() error { return memory.Grow(ctx, "v", 150) },
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
	if info, err := os.Stat(target); err != nil || !info.IsDir() {
		t.Errorf("the target path is no directory: %v", err)
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
}

func TestMemoryRefuses(t *testing.T) {
	for _, test := range []struct {
		name string
		call func(m *volume.Memory, directory string) error
		want error
	}{
		{"staging an unknown volume", func(m *volume.Memory, d string) error { return m.Stage(t.Context(), "x", d, volume.StageOptions{}) }, volume.ErrNotFound},
		{"staging at what is no directory", func(m *volume.Memory, d string) error {
			return m.Stage(t.Context(), "v", d+"/none", volume.StageOptions{})
		}, volume.ErrInvalid},
		{"staging in another way", func(m *volume.Memory, d string) error {
			return m.Stage(t.Context(), "v", d, volume.StageOptions{ReadOnly: true})
		}, volume.ErrIncompatible},
		{"unstaging an unknown volume", func(m *volume.Memory, d string) error { return m.Unstage(t.Context(), "x", d) }, volume.ErrNotFound},
		{"publishing an unknown volume", func(m *volume.Memory, d string) error { return m.Publish(t.Context(), "x", d, d+"/t2", false) }, volume.ErrNotFound},
		{"publishing what is not staged there", func(m *volume.Memory, d string) error {
			return m.Publish(t.Context(), "v", d+"/other", d+"/t2", false)
		}, volume.ErrRefused},
		{"publishing in another way", func(m *volume.Memory, d string) error { return m.Publish(t.Context(), "v", d, d+"/t", true) }, volume.ErrIncompatible},
		{"unpublishing an unknown volume", func(m *volume.Memory, d string) error { return m.Unpublish(t.Context(), "x", d+"/t2") }, volume.ErrNotFound},
		{"expanding elsewhere", func(m *volume.Memory, d string) error {
			_, err := m.Expand(t.Context(), "v", d+"/other")
			return err
		}, volume.ErrNotFound},
		{"the usage elsewhere", func(m *volume.Memory, d string) error {
			_, err := m.Usage(t.Context(), "v", d+"/other")
			return err
		}, volume.ErrNotFound},
		{"creating a volume that is there, smaller", func(m *volume.Memory, _ string) error { return m.Create(t.Context(), "v", 101) }, volume.ErrIncompatible},
		{"growing an unknown volume", func(m *volume.Memory, _ string) error { return m.Grow(t.Context(), "x", 1) }, volume.ErrNotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			memory, directory := volume.NewMemory(), t.TempDir()
			for _, err := range []error{
				memory.Create(t.Context(), "v", 100),
				memory.Stage(t.Context(), "v", directory, volume.StageOptions{}),
				memory.Publish(t.Context(), "v", directory, directory+"/t", false),
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

// What is in a target directory is not ours to remove.
func TestMemoryKeepsWhatIsInATargetDirectory(t *testing.T) {
	ctx, memory, directory := t.Context(), volume.NewMemory(), t.TempDir()
	if err := memory.Create(ctx, "v", 100); err != nil {
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
