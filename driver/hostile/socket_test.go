// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/service"
)

// TestPlantedSockets checks that the driver does not start if something else is at the path of its socket, and leaves it
// there.
func TestPlantedSockets(t *testing.T) {
	tree := newTrap(t, memoryDir())
	at := tree.path("node/csi.sock")
	for _, test := range []struct {
		name  string
		plant func() error
	}{
		{"a file", func() error { return os.WriteFile(at, []byte("kept"), 0o600) }},
		{"an empty file", func() error { return os.WriteFile(at, nil, 0o600) }},
		{"a link to a canary", func() error { return os.Symlink(tree.path("outside/etc/passwd"), at) }},
		{"a link to a directory", func() error { return os.Symlink(tree.path("outside/etc"), at) }},
		{"a link to nothing", func() error { return os.Symlink(tree.path("outside/new"), at) }},
		{"a directory", func() error { return os.Mkdir(at, 0o700) }},
		{"a pipe", func() error { return syscall.Mkfifo(at, 0o600) }},
		{"a second name of a canary", func() error { return os.Link(tree.path("outside/etc/shadow"), at) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			must(t, "plant "+test.name, test.plant())
			all := func(string) bool { return false }
			before := fingerprint(t, tree.root, all)
			if listener, err := service.Listen("unix://" + at); err == nil {
				t.Errorf("the driver listens in place of %s", test.name)
				_ = listener.Close()
			}
			after := fingerprint(t, tree.root, all)
			wantSame(t, "listening at "+test.name, before, after)
			must(t, "remove "+test.name, os.Remove(at))
		})
	}
}

// TestPlantedRecords checks that the records are not opened through a link, nor created at its target.
func TestPlantedRecords(t *testing.T) {
	tree := newTrap(t, memoryDir())
	at := tree.path("data/records.db")
	for name, to := range map[string]string{
		"a canary": tree.path("outside/etc/passwd"), "nothing": tree.path("outside/new"), "a directory": tree.path("outside/etc"),
	} {
		t.Run("a link to "+name, func(t *testing.T) {
			must(t, "plant a link", os.Symlink(to, at))
			before := tree.fingerprint(t)
			if store, err := record.Open(at, nil); err == nil {
				t.Errorf("the records were opened by a link to %s", name)
				_ = store.Close()
			}
			wantSame(t, "opening the records", before, tree.fingerprint(t))
			must(t, "remove the link", os.Remove(at))
		})
	}
	if info, err := os.Lstat(filepath.Dir(at)); err != nil || info.Mode().Type() != fs.ModeDir {
		t.Errorf("the data directory is %v (%v)", info, err)
	}
}
