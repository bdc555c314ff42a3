// SPDX-License-Identifier: Apache-2.0

//go:build linux

package engine

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/moby/sys/mountinfo"
)

// place is the location of a test's daemon, with the state of the host before it.
type place struct {
	options    Options
	out        *bytes.Buffer
	firewall   string
	forwarding string
	interfaces []string
	hadKey     bool
}

func newPlace(t *testing.T) *place {
	t.Helper()
	run, err := os.MkdirTemp("/run", "csi-topo-") // short: a socket's path has at most 108 bytes
	if err != nil {
		t.Fatal(err)
	}
	p := &place{
		out: &bytes.Buffer{}, firewall: firewall(t), forwarding: forwarding(t), interfaces: interfaces(t), hadKey: hasKey(),
	}
	p.options = Options{Out: p.out, RunDir: run, CacheDir: t.TempDir()}
	t.Cleanup(func() {
		if err := Down(context.WithoutCancel(t.Context()), p.options); err != nil {
			t.Errorf("clearing up: %v", err)
		}
		_ = os.RemoveAll(run)
		if t.Failed() {
			t.Logf("the engine said:\n%s", p.out)
		}
	})
	return p
}

func (p *place) ensure(t *testing.T) *Engine {
	t.Helper()
	e, err := Ensure(t.Context(), p.options)
	if err != nil {
		t.Fatal(err)
	}
	if !e.Private {
		t.Fatalf("Ensure found %+v, want a private engine", e)
	}
	return e
}

// mustBeGone fails if anything of the daemon remains but its cache and its locks.
func (p *place) mustBeGone(t *testing.T) {
	t.Helper()
	for _, name := range []string{"dockerd", "containerd", "containerd-shim-runc-v2", "docker-proxy"} {
		if pids := processesOf(name, p.options.RunDir); len(pids) > 0 {
			t.Errorf("%s still runs: %v", name, pids)
		}
	}
	mounts, err := mountinfo.GetMounts(func(m *mountinfo.Info) (skip, stop bool) {
		return !below(m.Mountpoint, p.options.RunDir) && !below(m.Mountpoint, p.options.CacheDir), false
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, mount := range mounts {
		t.Errorf("still mounted: %s", mount.Mountpoint)
	}
	entries, err := os.ReadDir(p.options.RunDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".lock") {
			t.Errorf("still there: %s in %s", entry.Name(), p.options.RunDir)
		}
	}
	if now := interfaces(t); !slices.Equal(now, p.interfaces) {
		t.Errorf("network interfaces are %q, were %q", now, p.interfaces)
	}
	if now := forwarding(t); now != p.forwarding {
		t.Errorf("ip_forward is %s, was %s", now, p.forwarding)
	}
	if undo := undoFirewall(p.firewall, firewall(t)); undo != "" {
		t.Errorf("the firewall was not given back; missing:\n%s", undo)
	}
	if hasKey() != p.hadKey {
		t.Error("it wrote into /etc/docker")
	}
}

// docker runs the docker command on an engine and returns its output.
func docker(t *testing.T, e *Engine, args ...string) string {
	t.Helper()
	out, err := e.client().run(t.Context(), args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// importBusybox makes the image "busybox" from a static busybox.
func importBusybox(t *testing.T, e *Engine) {
	t.Helper()
	path, err := exec.LookPath("busybox")
	if err != nil {
		t.Skip("it needs the package busybox-static")
	}
	pack := exec.CommandContext(t.Context(), "tar", "-C", filepath.Dir(path), "-c", "--transform", "s,^,bin/,", filepath.Base(path))
	archive, err := pack.Output()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "docker", "import", "-", "busybox")
	cmd.Env = append(os.Environ(), e.Env()...)
	cmd.Stdin = bytes.NewReader(archive)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("docker import: %v: %s", err, out)
	}
}

func firewall(t *testing.T) string {
	t.Helper()
	rules, err := exec.CommandContext(t.Context(), "iptables-save").Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(rules)
}

func forwarding(t *testing.T) string {
	t.Helper()
	value, err := os.ReadFile("/proc/sys/net/ipv4/ip_forward")
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(value))
}

func interfaces(t *testing.T) []string {
	t.Helper()
	all, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, i := range all {
		names = append(names, i.Name)
	}
	return names
}

// hasKey reports whether a daemon has left a key at the path of the host's Docker.
func hasKey() bool {
	_, err := os.Stat("/etc/docker/key.json")
	return err == nil
}
