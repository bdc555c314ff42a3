// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestClosureRunsAlone checks that a program of this host runs with only the loader and libraries in its closure.
func TestClosureRunsAlone(t *testing.T) {
	if info, err := os.Lstat("/lib"); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Skip("this host has no merged /usr with a dynamically linked /usr/bin/env to collect")
	}
	files, err := closure("/", "usr/bin/env")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("this host is not laid out as Debian is: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := writeAll(root, files); err != nil {
		t.Fatal(err)
	}
	loader, err := filepath.Glob(filepath.Join(root, "lib*", "ld-*"))
	if err != nil || len(loader) != 1 {
		t.Fatalf("want the loader at its own path, got %v, %v", loader, err)
	}
	libraries, err := filepath.Glob(filepath.Join(root, "usr/lib/*-linux-gnu*"))
	if err != nil || len(libraries) != 1 {
		t.Fatalf("want one directory of libraries, got %v, %v", libraries, err)
	}
	out, err := exec.Command(loader[0], "--library-path", libraries[0], "--inhibit-cache", filepath.Join(root, "usr/bin/env"), "--version").CombinedOutput()
	if err != nil {
		t.Errorf("the collected program does not run: %v: %s", err, out)
	}
}

func TestClosureNamesWhatIsMissing(t *testing.T) {
	if _, err := closure(t.TempDir(), "usr/bin/nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("want a program that is not there refused, got %v", err)
	}
}

func TestReadInFollowsLinksWithoutLeavingItsRoot(t *testing.T) {
	root := t.TempDir()
	for link, target := range map[string]string{"absolute": "/real", "relative": "./real", "outside": "../../../../etc/passwd", "loop": "loop"} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "real"), []byte("inside"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{"absolute", "relative"} {
		if got, err := readIn(root, link); err != nil || string(got) != "inside" {
			t.Errorf("%s: want the file inside, got %q, %v", link, got, err)
		}
	}
	for _, link := range []string{"outside", "loop"} {
		if got, err := readIn(root, link); err == nil {
			t.Errorf("%s: want an error, got %q", link, got)
		}
	}
}
