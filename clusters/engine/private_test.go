// SPDX-License-Identifier: Apache-2.0

//go:build linux

package engine

import (
	"context"
	"flag"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestPrivateDaemon checks that real daemons start and stop properly, beside any other on this host: in a separate
// network namespace, because daemons share their namespace's firewall.
func TestPrivateDaemon(t *testing.T) {
	if os.Getenv("CSI_TOPO_ENGINE_TEST") != "1" {
		t.Skip("it needs root and dockerd; CSI_TOPO_ENGINE_TEST=1 asks for it")
	}
	if os.Getenv("CSI_TOPO_ENGINE_TEST_NAMESPACE") == "" {
		inNamespace(t)
		return
	}
	t.Setenv("DOCKER_HOST", "")
	if out, err := exec.CommandContext(t.Context(), "ip", "link", "set", "lo", "up").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := (client{}).version(t.Context()); err == nil {
		t.Skip("this host has a Docker of its own, which Ensure prefers")
	}
	for _, test := range []struct {
		name string
		run  func(*testing.T, *place)
	}{
		{"the last user stops it", lastUserStops},
		{"users come and go at once", usersAtOnce},
		{"containers keep it and Down removes them", downRemovesContainers},
		{"a killed one is started again", killedIsRecovered},
		{"a slow one is waited for", slowIsWaitedFor},
		{"a reused process id is not killed", staleFiles},
		{"Down clears up after a killed one", downAfterKill},
		{"a start that fails leaves nothing", startFails},
		{"an interrupted start leaves nothing", startInterrupted},
		{"images stay until purged", imagesStay},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, newPlace(t)) })
	}
}

func inNamespace(t *testing.T) {
	t.Helper()
	only := "^TestPrivateDaemon$"
	if asked := flag.Lookup("test.run").Value.String(); strings.Contains(asked, "/") {
		only = asked
	}
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run="+only, "-test.v")
	again.Env = append(os.Environ(), "CSI_TOPO_ENGINE_TEST_NAMESPACE=1")
	again.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	out, err := again.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
}

func lastUserStops(t *testing.T, p *place) {
	first := p.ensure(t)
	second := p.ensure(t)
	importBusybox(t, first)
	docker(t, first, "network", "create", "topo")
	docker(t, first, "run", "--detach", "--name", "node", "--privileged", "--network", "topo", "--publish", "127.0.0.1::80",
		"busybox", "busybox", "sleep", "600")
	if got := docker(t, first, "exec", "--privileged", "node", "busybox", "id", "-u"); got != "0" {
		t.Errorf("a privileged exec says %q, want 0", got)
	}
	if got := docker(t, first, "run", "--rm", "--privileged", "busybox", "busybox", "echo", "ran"); got != "ran" {
		t.Errorf("a privileged container says %q, want ran", got)
	}
	lacks := lacksCapability(docker(t, first, "exec", "--privileged", "node", "busybox", "cat", "/proc/self/status"), capSysResource)
	if lacks != first.Facts.LacksSysResource {
		t.Errorf("a privileged process lacks CAP_SYS_RESOURCE: %v; the host does: %v", lacks, first.Facts.LacksSysResource)
	}
	runtime := docker(t, first, "info", "--format", "{{.DefaultRuntime}}")
	if plain := runtime == "runc"; plain == first.Facts.LacksSysResource {
		t.Errorf("the default runtime is %s on a host with %+v", runtime, first.Facts)
	}
	docker(t, first, "rm", "--force", "node")
	if err := first.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	docker(t, second, "version") // the second still needs it
	if err := second.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.mustBeGone(t)
}

func usersAtOnce(t *testing.T, p *place) {
	const users = 4
	type result struct {
		engine *Engine
		err    error
	}
	results := make(chan result, users)
	options := p.options
	options.Out = nil // a buffer does not allow several writers
	for range users {
		go func() {
			e, err := Ensure(t.Context(), options)
			results <- result{e, err}
		}()
	}
	var engines []*Engine
	for range users {
		r := <-results
		if r.err != nil {
			t.Fatal(r.err)
		}
		engines = append(engines, r.engine)
	}
	if daemons := processesOf("dockerd", p.options.RunDir); len(daemons) != 1 {
		t.Errorf("%d daemons run, want one", len(daemons))
	}
	for _, e := range engines {
		docker(t, e, "version")
		if err := e.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	p.mustBeGone(t)
}

func downRemovesContainers(t *testing.T, p *place) {
	e := p.ensure(t)
	importBusybox(t, e)
	docker(t, e, "network", "create", "topo")
	docker(t, e, "run", "--detach", "--privileged", "--network", "topo", "--volume", "/data", "busybox", "busybox", "sleep", "600")
	if err := e.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	docker(t, e, "version") // a kept cluster keeps its engine
	if err := Down(t.Context(), p.options); err != nil {
		t.Fatal(err)
	}
	p.mustBeGone(t)
	p.out.Reset()
	if err := Down(t.Context(), p.options); err != nil || !strings.Contains(p.out.String(), "no private engine") {
		t.Errorf("a second Down: %v, %q, want it to find nothing", err, p.out)
	}
}

// kill kills the daemon as the kernel does when memory runs out.
func kill(t *testing.T, p *place) {
	t.Helper()
	pids := processesOf("dockerd", p.options.RunDir)
	if len(pids) != 1 {
		t.Fatalf("daemons: %v, want one", pids)
	}
	if err := syscall.Kill(pids[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := terminate(t.Context(), pids[0], "dockerd", p.options.RunDir); err != nil { // returns when it has ended
		t.Fatal(err)
	}
}

func killedIsRecovered(t *testing.T, p *place) {
	e := p.ensure(t)
	importBusybox(t, e)
	docker(t, e, "run", "--detach", "--name", "left", "--privileged", "busybox", "busybox", "sleep", "600")
	kill(t, p)
	again := p.ensure(t)
	if got := docker(t, again, "ps", "--all", "--format", "{{.Names}}"); got != "left" {
		t.Errorf("after the restart it has %q, want the container that was there", got)
	}
	docker(t, again, "rm", "--force", "left")
	for _, user := range []*Engine{e, again} {
		if err := user.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	p.mustBeGone(t)
}

func slowIsWaitedFor(t *testing.T, p *place) {
	e := p.ensure(t)
	before := processesOf("dockerd", p.options.RunDir)
	if len(before) != 1 {
		t.Fatalf("daemons: %v, want one", before)
	}
	if err := syscall.Kill(before[0], syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	// After both probes, but before it is considered hanging.
	time.AfterFunc(2*probeTimeout+pollEvery, func() { _ = syscall.Kill(before[0], syscall.SIGCONT) })
	again := p.ensure(t)
	if now := processesOf("dockerd", p.options.RunDir); !slices.Equal(now, before) {
		t.Errorf("the daemon is %v, was %v", now, before)
	}
	for _, user := range []*Engine{e, again} {
		if err := user.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	p.mustBeGone(t)
}

func staleFiles(t *testing.T, p *place) {
	private := newDaemon(p.options)
	innocent := exec.CommandContext(t.Context(), "sleep", "600")
	if err := innocent.Start(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(private.pidfile(), []byte(strconv.Itoa(innocent.Process.Pid)), 0o600); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", private.socket())
	if err != nil {
		t.Fatal(err)
	}
	socket.(*net.UnixListener).SetUnlinkOnClose(false)
	if err := socket.Close(); err != nil {
		t.Fatal(err)
	}
	if err := p.ensure(t).Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := innocent.Process.Kill(); err != nil {
		t.Errorf("the process that has the id now was ended: %v", err)
	}
	_ = innocent.Wait()
	p.mustBeGone(t)
}

func downAfterKill(t *testing.T, p *place) {
	e := p.ensure(t)
	importBusybox(t, e)
	docker(t, e, "network", "create", "topo")
	docker(t, e, "run", "--detach", "--network", "topo", "busybox", "busybox", "sleep", "600")
	kill(t, p)
	if err := Down(t.Context(), p.options); err != nil {
		t.Fatal(err)
	}
	p.mustBeGone(t)
}

func startFails(t *testing.T, p *place) {
	private := newDaemon(p.options)
	if err := os.MkdirAll(private.cache, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(private.dataRoot(), []byte("not a directory"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Ensure(t.Context(), p.options)
	if err == nil || !strings.Contains(err.Error(), private.log()) || strings.Contains(err.Error(), "\n") {
		t.Errorf("Ensure gave %v, want one line with the log's path", err)
	}
	p.mustBeGone(t)
}

func startInterrupted(t *testing.T, p *place) {
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		poll := time.NewTicker(pollEvery / 10)
		defer poll.Stop()
		for range poll.C {
			if len(processesOf("dockerd", p.options.RunDir)) > 0 || t.Context().Err() != nil {
				return
			}
		}
	}()
	if e, err := Ensure(ctx, p.options); err == nil {
		t.Errorf("Ensure gave %+v though it was interrupted", e)
	}
	p.mustBeGone(t)
}

func imagesStay(t *testing.T, p *place) {
	e := p.ensure(t)
	importBusybox(t, e)
	if err := e.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	e = p.ensure(t)
	if got := docker(t, e, "images", "--format", "{{.Repository}}"); got != "busybox" {
		t.Errorf("the second start has images %q, want busybox", got)
	}
	options := p.options
	options.Purge = true
	if err := Down(t.Context(), options); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(newDaemon(p.options).cache); err == nil {
		t.Error("the images are still there after a purge")
	}
	p.mustBeGone(t)
}
