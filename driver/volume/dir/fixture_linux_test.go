// SPDX-License-Identifier: Apache-2.0

package dir

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/mount"
)

const mebi = int64(1) << 20

func newID(t *testing.T, kind volume.Kind) string {
	t.Helper()
	id, err := volume.NewID(kind)
	must(t, "make an id", err)
	return id
}

// unmountBelow unmounts everything below the directory, the last mount first.
func unmountBelow(t *testing.T, dir string) {
	t.Helper()
	for _, at := range mountsBelow(t, dir) {
		if err := mount.Unmount(context.WithoutCancel(t.Context()), at); err != nil {
			t.Error(err)
		}
	}
}

// mountsBelow lists the mount points below the directory, the last first.
func mountsBelow(t *testing.T, dir string) []string {
	t.Helper()
	table, err := os.ReadFile("/proc/self/mountinfo")
	must(t, "read the mount table", err)
	var below []string
	for line := range strings.Lines(string(table)) {
		if at := strings.Fields(line)[4]; strings.HasPrefix(at, dir+"/") {
			below = append([]string{at}, below...)
		}
	}
	return below
}

func must(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func wantError(t *testing.T, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func wantContent(t *testing.T, path, want string) {
	t.Helper()
	if text, err := os.ReadFile(path); err != nil || string(text) != want {
		t.Errorf("%s holds %.40q (%v), want %q", path, text, err, want)
	}
}

func wantNoFile(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there (%v)", path, err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, "write", os.WriteFile(path, []byte(text), 0o600))
}

func wantProblem(t *testing.T, problems []volume.Problem, err error, reason string, severity volume.Severity) {
	t.Helper()
	if err != nil {
		t.Fatalf("the check failed: %v", err)
	}
	if reason == "" {
		if len(problems) > 0 {
			t.Errorf("found %+v, want nothing", problems)
		}
		return
	}
	if len(problems) != 1 || problems[0].Reason != reason || problems[0].Severity != severity || problems[0].Message == "" {
		t.Errorf("found %+v, want %s (severity %d)", problems, reason, severity)
	}
}

// canary makes files that no call may touch, and checks them after the test.
func canary(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, name)
		must(t, "mkdir", os.MkdirAll(filepath.Dir(path), 0o750))
		write(t, path, "canary")
	}
	t.Cleanup(func() {
		for _, name := range names {
			wantContent(t, filepath.Join(dir, name), "canary")
		}
	})
	return dir
}

// openToAllUsers opens a temporary directory and its parents to all users.
func openToAllUsers(t *testing.T, dir string) {
	t.Helper()
	for ; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		must(t, "stat", err)
		must(t, "let everybody in", os.Chmod(dir, info.Mode()|0o755))
	}
}
