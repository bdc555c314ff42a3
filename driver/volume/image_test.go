package volume

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func openImages(t *testing.T) (*Images, string) {
	t.Helper()
	dir := t.TempDir()
	images, err := OpenImages(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := images.Close(); err != nil {
			t.Error(err)
		}
	})
	return images, dir
}

func TestImagesCreate(t *testing.T) {
	const mebi = 1 << 20
	tests := []struct {
		name     string
		given    int64 // an image of that size is there already; 0 for none
		create   int64
		wantErr  string
		wantSize int64
	}{
		{name: "makes an image of the size", create: 8 * mebi, wantSize: 8 * mebi},
		{name: "keeps one of the size", given: 8 * mebi, create: 8 * mebi, wantSize: 8 * mebi},
		{name: "keeps a larger one", given: 9 * mebi, create: 8 * mebi, wantSize: 9 * mebi},
		{name: "refuses a smaller one", given: 7 * mebi, create: 8 * mebi, wantErr: "grow it instead", wantSize: 7 * mebi},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			images, _ := openImages(t)
			if test.given > 0 {
				if err := images.Create(t.Context(), "v", test.given); err != nil {
					t.Fatal(err)
				}
			}
			err := images.Create(t.Context(), "v", test.create)
			if test.wantErr == "" && err != nil || test.wantErr != "" && (err == nil || !strings.Contains(err.Error(), test.wantErr)) {
				t.Fatalf("Create answered %v, want %q", err, test.wantErr)
			}
			if size, err := images.Size("v"); err != nil || size != test.wantSize {
				t.Fatalf("the image has %d bytes (%v), want %d", size, err, test.wantSize)
			}
		})
	}
}

func TestImagesCreateAfterInterruption(t *testing.T) {
	images, dir := openImages(t)
	unfinished := filepath.Join(dir, "volumes", ".v.img.new")
	if err := os.WriteFile(unfinished, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := images.Size("v"); !errors.Is(err, ErrNotFound) {
		t.Fatalf("an unfinished image counts as a volume: %v", err)
	}
	if err := images.Create(t.Context(), "v", 4096); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(unfinished); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the unfinished image is still there: %v", err)
	}
}

func TestImagesAreSparse(t *testing.T) {
	images, dir := openImages(t)
	if err := images.Create(t.Context(), "v", 1<<40); err != nil {
		t.Fatalf("a sparse image of 1 TiB takes no room, yet: %v", err)
	}
	entries, err := os.ReadDir(filepath.Join(dir, "volumes"))
	if err != nil || len(entries) != 1 || entries[0].Name() != "v.img" {
		t.Errorf("the directory holds %v (%v), want only v.img", entries, err)
	}
}

func TestImagesGrow(t *testing.T) {
	tests := []struct {
		name        string
		given, grow int64
		want        int64
	}{
		{name: "grows", given: 4096, grow: 8192, want: 8192},
		{name: "stays when asked again", given: 8192, grow: 8192, want: 8192},
		{name: "never shrinks", given: 8192, grow: 4096, want: 8192},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			images, _ := openImages(t)
			if err := images.Create(t.Context(), "v", test.given); err != nil {
				t.Fatal(err)
			}
			if err := images.Grow(t.Context(), "v", test.grow); err != nil {
				t.Fatal(err)
			}
			if size, err := images.Size("v"); err != nil || size != test.want {
				t.Fatalf("the image has %d bytes (%v), want %d", size, err, test.want)
			}
		})
	}
	t.Run("knows what is not there", func(t *testing.T) {
		images, _ := openImages(t)
		if err := images.Grow(t.Context(), "v", 4096); !errors.Is(err, ErrNotFound) {
			t.Fatalf("Grow answered %v, want ErrNotFound", err)
		}
	})
}

func TestImagesDelete(t *testing.T) {
	images, _ := openImages(t)
	if err := images.Create(t.Context(), "v", 4096); err != nil {
		t.Fatal(err)
	}
	for _, call := range []string{"first", "repeated"} {
		if err := images.Delete(t.Context(), "v"); err != nil {
			t.Fatalf("%s Delete: %v", call, err)
		}
		if _, err := images.Size("v"); !errors.Is(err, ErrNotFound) {
			t.Fatalf("after the %s Delete Size answered %v, want ErrNotFound", call, err)
		}
	}
}

func TestImagesDeleteAfterInterruption(t *testing.T) {
	images, dir := openImages(t)
	unfinished := filepath.Join(dir, "volumes", ".v.img.new")
	if err := os.WriteFile(unfinished, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := images.Delete(t.Context(), "v"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(unfinished); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the unfinished image is still there: %v", err)
	}
}

func TestImagesRefuseIDsThatAreNoFileName(t *testing.T) {
	images, dir := openImages(t)
	outside := filepath.Join(dir, "escaped.img")
	if err := os.WriteFile(outside, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"", "../escaped", "a/b", "/etc/x", ".hidden", "..", strings.Repeat("x", 129)} {
		if err := images.Create(t.Context(), id, 4096); !errors.Is(err, ErrNotFound) {
			t.Errorf("Create(%q) answered %v, want ErrNotFound", id, err)
		}
		if err := images.Grow(t.Context(), id, 4096); !errors.Is(err, ErrNotFound) {
			t.Errorf("Grow(%q) answered %v, want ErrNotFound", id, err)
		}
		if err := images.Delete(t.Context(), id); err != nil {
			t.Errorf("Delete(%q) answered %v, want nothing", id, err)
		}
	}
	if _, err := os.Stat(outside); err != nil {
		t.Errorf("a file outside the directory was removed: %v", err)
	}
}
