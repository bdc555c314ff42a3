// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// trap is a directory tree with a driver in the middle of it:
//
//	data/      the data directory
//	node/      where a node stages and publishes
//	outside/   canaries, and what names of volumes would lead to
//	cwd/       the working directory
//	state.db   a canary beside the data directory, as all that is named victim*
type trap struct{ root string }

func (t trap) path(below string) string { return filepath.Join(t.root, below) }

// newTrap lays out the tree in a new directory below the given one, with canaries
// that are older than the test.
func newTrap(t testing.TB, below string) trap {
	t.Helper()
	root, err := os.MkdirTemp(below, "trap")
	must(t, "make a directory", err)
	t.Cleanup(func() { must(t, "remove the trap", os.RemoveAll(root)) })
	tree := trap{root: root}
	for _, dir := range []string{"data", "node/pods", "cwd", "outside/etc/empty", "outside/victim", "outside/victim.dir/data", "outside/volumes", "outside/snapshots"} {
		must(t, "make a directory", os.MkdirAll(tree.path(dir), 0o755))
	}
	for _, file := range []string{
		"state.db", "victim.img", "outside/state.db", "outside/etc/passwd", "outside/etc/shadow",
		"outside/victim.img", "outside/victim/file", "outside/victim.dir/data/file", "outside/volumes/file", "cwd/file",
	} {
		must(t, "lay out a canary", os.WriteFile(tree.path(file), []byte("canary in "+file), 0o640))
	}
	long := time.Date(2020, 2, 2, 2, 2, 2, 2, time.UTC)
	must(t, "make the tree old", filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, long, long)
	}))
	return tree
}

// memoryDir returns a directory in memory, if there is one: temporary files need not wait for a disk. "" means the usual
// directory.
func memoryDir() string {
	const shared = "/dev/shm"
	if info, err := os.Stat(shared); err != nil || !info.IsDir() {
		return ""
	}
	return shared
}

// fingerprint describes the whole tree, one line for each path, except for the driver's files: the data directory and
// everything below node/.
func (t trap) fingerprint(test testing.TB) []string {
	test.Helper()
	return fingerprint(test, t.root, func(path string) bool {
		return path == t.path("data") || path == t.path("node")
	})
}

// glimpse shows whether a file or directory was touched: every write, new name and
// removed name changes the times.
type glimpse struct {
	mode     fs.FileMode
	bytes    int64
	modified time.Time
}

// glimpses returns a glimpse of each path, without reading its content; the zero glimpse if the path does not exist.
func glimpses(t testing.TB, paths []string) []glimpse {
	t.Helper()
	seen := make([]glimpse, len(paths))
	for i, path := range paths {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		must(t, "look at "+path, err)
		seen[i] = glimpse{info.Mode(), info.Size(), info.ModTime()}
	}
	return seen
}

// guarded returns the paths that a fingerprint describes.
func (t trap) guarded(test testing.TB) []string {
	test.Helper()
	var paths []string
	for _, line := range t.fingerprint(test) {
		path, _, _ := strings.Cut(line, " ")
		paths = append(paths, path)
	}
	return paths
}

// fingerprint describes a tree: mode, owner, size, time and content of everything in it. It leaves out paths for which
// skip returns true, and everything below them.
func fingerprint(t testing.TB, root string, skip func(path string) bool) []string {
	t.Helper()
	var lines []string
	must(t, "look at "+root, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if skip(path) {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%s %s %s", path, info.Mode(), info.ModTime().UTC())
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			line += fmt.Sprintf(" owner %d:%d", stat.Uid, stat.Gid)
		}
		switch info.Mode().Type() {
		case 0:
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += fmt.Sprintf(", %d bytes, %x", info.Size(), sha256.Sum256(content))
		case fs.ModeSymlink:
			to, err := os.Readlink(path)
			if err != nil {
				return err
			}
			line += " -> " + to
		}
		lines = append(lines, line)
		return nil
	}))
	return lines
}

// wantSame fails the test if something has changed since the fingerprint.
func wantSame(t testing.TB, what string, before, after []string) {
	t.Helper()
	if slices.Equal(before, after) {
		return
	}
	var changes []string
	for _, line := range before {
		if !slices.Contains(after, line) {
			changes = append(changes, "- "+line)
		}
	}
	for _, line := range after {
		if !slices.Contains(before, line) {
			changes = append(changes, "+ "+line)
		}
	}
	t.Errorf("%s changed what is outside the data directory:\n%s", what, strings.Join(changes, "\n"))
}

func must(t testing.TB, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}
