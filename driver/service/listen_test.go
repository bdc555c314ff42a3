// SPDX-License-Identifier: Apache-2.0

package service

import (
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func listen(t *testing.T, path string) net.Listener {
	t.Helper()
	listener, err := Listen("unix://" + path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener
}

func TestSocketIsForItsUserOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made", "csi.sock")
	listen(t, path)
	for name, want := range map[string]fs.FileMode{path: fs.ModeSocket | 0o600, filepath.Dir(path): fs.ModeDir | 0o700} {
		info, err := os.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != want {
			t.Errorf("%s has mode %s, want %s", name, info.Mode(), want)
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("beside the socket there are %v, %v", entries, err)
	}
}

func TestSocketGoesWithItsListener(t *testing.T) {
	path := filepath.Join(t.TempDir(), "csi.sock")
	listener := listen(t, path)
	if got := listener.Addr().String(); got != path {
		t.Errorf("the address is %s, want %s", got, path)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("the socket is still there: %v", err)
	}
}

// leaveStale leaves a socket without a server at the path, as a killed process does.
func leaveStale(t *testing.T, path string) {
	t.Helper()
	stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	stale.SetUnlinkOnClose(false)
	if err := stale.Close(); err != nil {
		t.Fatal(err)
	}
}

func mustBeServed(t *testing.T, path string) {
	t.Helper()
	connection, err := net.Dial("unix", path)
	if err != nil {
		t.Fatalf("nobody serves %s: %v", path, err)
	}
	_ = connection.Close()
}

func TestStaleSocketIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "csi.sock")
	leaveStale(t, path)
	listen(t, path)
	mustBeServed(t, path)
}

func TestSocketDirectory(t *testing.T) {
	for _, test := range []struct {
		name  string
		given fs.FileMode
		want  string // in the error; "" means no error
	}{
		{"this user's", 0o700, ""},
		{"that others may read", 0o755, ""},
		{"of a group", 0o775, ""},
		{"of everybody, who cannot replace what others made", 0o777 | fs.ModeSticky, ""},
		{"of everybody", 0o777, "every user may replace what is in"},
		{"that others may write to", 0o703, "every user may replace what is in"},
	} {
		t.Run(test.name, func(t *testing.T) {
			directory := t.TempDir()
			if err := os.Chmod(directory, test.given); err != nil {
				t.Fatal(err)
			}
			listener, err := Listen("unix://" + filepath.Join(directory, "csi.sock"))
			if err == nil {
				defer func() { _ = listener.Close() }()
			}
			if (err == nil) != (test.want == "") || (err != nil && !strings.Contains(err.Error(), test.want)) {
				t.Errorf("got %v, want %q", err, test.want)
			}
			below, err := Listen("unix://" + filepath.Join(directory, "below", "csi.sock"))
			if err != nil {
				t.Fatalf("a directory below it: %v", err)
			}
			_ = below.Close()
		})
	}
}

func TestListenRefuses(t *testing.T) {
	directory := t.TempDir()
	live := filepath.Join(directory, "live.sock")
	listen(t, live)
	file := filepath.Join(directory, "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(directory, "link")
	if err := os.Symlink(live, link); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name     string
		endpoint string
		want     string
	}{
		{"a socket that is served", "unix://" + live, "another process serves"},
		{"a file", "unix://" + file, "is not a socket"},
		{"a link", "unix://" + link, "is not a socket"},
		{"TCP", "tcp://127.0.0.1:0", "not a unix socket"},
		{"a relative path", "unix://csi.sock", "not a unix socket"},
		{"a path that climbs", "unix:///a/../csi.sock", "not a unix socket"},
		{"a path without a scheme", "/tmp/csi.sock", "not a unix socket"},
		{"nothing", "", "not a unix socket"},
		{"a path that is too long", "unix:///" + strings.Repeat("a", 107), "too long"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Listen(test.endpoint)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	if content, err := os.ReadFile(file); err != nil || string(content) != "mine" {
		t.Errorf("the file was touched: %q, %v", content, err)
	}
	mustBeServed(t, live)
}
