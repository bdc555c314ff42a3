// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/procfs"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// These tests create clusters, so they only run on request: `make test-cleanup`.
const askedFor = "CSI_TOPO_CLEANUP_TEST"

// Limits of the tests' waits.
const (
	runWithin  = 15 * time.Minute
	stopWithin = 3 * time.Minute
	look       = 200 * time.Millisecond
)

// started is a run of the command in its own process group, as a shell would start it, so that a signal to the group
// acts like Ctrl-C.
type started struct {
	*exec.Cmd
	out  *lockedBuffer
	done chan error
}

func start(t *testing.T, args ...string) *started {
	t.Helper()
	if os.Getenv(askedFor) == "" {
		t.Skipf("makes clusters: run `make test-cleanup`, which sets %s", askedFor)
	}
	return launch(t, args...)
}

// launch starts the command of this package.
func launch(t *testing.T, args ...string) *started {
	t.Helper()
	s := &started{Cmd: exec.Command(os.Args[0], args...), out: &lockedBuffer{}, done: make(chan error, 1)}
	s.Env = append(os.Environ(), programVariable+"=1")
	s.Stdout, s.Stderr = s.out, s.out
	s.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { s.done <- s.Wait() }()
	t.Cleanup(func() { _ = syscall.Kill(-s.Process.Pid, syscall.SIGKILL) })
	return s
}

// exit waits for the command to end and returns its exit status.
func (s *started) exit(t *testing.T, within time.Duration) int {
	t.Helper()
	select {
	case err := <-s.done:
		var status *exec.ExitError
		if err != nil && !errors.As(err, &status) {
			t.Fatal(err)
		}
		t.Logf("%v\n%s", s.Args, s.out)
		return s.ProcessState.ExitCode()
	case <-time.After(within):
		t.Fatalf("%v did not end within %s:\n%s", s.Args, within, s.out)
		return 0
	}
}

func (s *started) interrupt(t *testing.T) {
	t.Helper()
	if err := syscall.Kill(-s.Process.Pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
}

// await waits until the condition holds, and fails the test if the command ends first.
func (s *started) await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	limit := time.After(runWithin)
	for !holds() {
		select {
		case err := <-s.done:
			t.Fatalf("the command ended before %s: %v\n%s", what, err, s.out)
		case <-limit:
			t.Fatalf("%s did not happen within %s:\n%s", what, runWithin, s.out)
		case <-ticker.C:
		}
	}
}

func (s *started) says(text string) func() bool {
	return func() bool { return strings.Contains(s.out.String(), text) }
}

func wantNothingLeft(t *testing.T, before snapshot) {
	t.Helper()
	for _, left := range before.since(t) {
		t.Errorf("left behind: %s", left)
	}
}

func wantReport(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"report.yaml", "junit.xml"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("want %s written, got %v", name, err)
		}
	}
}

// hasLoopDevice returns a function that reports whether a volume is mounted that was not mounted before.
func (before snapshot) hasLoopDevice(t *testing.T) func() bool {
	return func() bool {
		for _, thing := range before.since(t) {
			if strings.HasPrefix(thing, "loop device ") {
				return true
			}
		}
		return false
	}
}

func TestNothingIsLeftAfterCtrlCWithAVolumeMounted(t *testing.T) {
	before := snapshotNow(t)
	reports := t.TempDir()
	run := start(t, "cluster", "--name", "cleanup-mounted", "--layout", layoutOf(t, 2), "--report-dir", reports, "--verbose", "--skip", "provision_empty_topology")
	const some = 8
	mounted := before.hasLoopDevice(t)
	run.await(t, "some cases had ended and a volume was mounted", func() bool {
		return len(endedCase.FindAllString(run.out.String(), -1)) >= some && mounted()
	})
	run.interrupt(t)
	if got := run.exit(t, stopWithin); got != 2 {
		t.Errorf("want exit status 2 of an interrupted run, got %d", got)
	}
	wantReport(t, reports)
	result, err := report.ReadFile(filepath.Join(reports, "report.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	keepsResults(t, result, run.out.String())
	wantNothingLeft(t, before)
}

func TestNothingIsLeftAfterCtrlCWhileTheClusterIsMade(t *testing.T) {
	before := snapshotNow(t)
	reports := t.TempDir()
	run := start(t, "cluster", "--name", "cleanup-making", "--report-dir", reports)
	run.await(t, "a node ran", func() bool { return nodes("cleanup-making") > 0 })
	run.interrupt(t)
	if got := run.exit(t, stopWithin); got != 2 {
		t.Errorf("want exit status 2 of an interrupted run, got %d", got)
	}
	wantReport(t, reports)
	wantNothingLeft(t, before)
}

// nodes counts the containers of a cluster.
func nodes(cluster string) int {
	count := 0
	for _, container := range containers() {
		if strings.HasPrefix(container.name, cluster+"-") {
			count++
		}
	}
	return count
}

// killWhileMaking starts a run and kills it once its cluster has the given number of nodes. It kills the child of the
// process that was started, because the child does the work, and cleans up if only its parent is killed.
func killWhileMaking(t *testing.T, name, layout string, size int) *started {
	t.Helper()
	run := start(t, "cluster", "--name", name, "--layout", layout, "--report-dir", t.TempDir())
	run.await(t, "all nodes ran", func() bool { return nodes(name) == size })
	all, err := procfs.AllProcs()
	if err != nil {
		t.Fatal(err)
	}
	for _, process := range all {
		if stat, err := process.Stat(); err == nil && stat.PPID == run.Process.Pid {
			if err := syscall.Kill(process.PID, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := run.exit(t, stopWithin); got != 2 {
		t.Errorf("want exit status 2 of a run that was killed, got %d", got)
	}
	return run
}

// layoutOf writes a layout with the given number of zones, each with one node: such a cluster starts faster than the usual
// one. It returns the path of the file.
func layoutOf(t *testing.T, zones int) string {
	t.Helper()
	text := "apiVersion: csi-topo/v1alpha1\nkind: ClusterLayout\nregions:\n- name: R1\n  zones:\n"
	for i := range zones {
		text += fmt.Sprintf("  - {name: Z%d, nodes: 1}\n", i+1)
	}
	path := filepath.Join(t.TempDir(), fmt.Sprintf("zones-%d.yaml", zones))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// wantRemoved fails the test unless the run has deleted the cluster that a killed run left.
func (s *started) wantRemoved(t *testing.T, cluster string) {
	t.Helper()
	if want := "✓ deleting kind cluster " + cluster + ", left by a run that was killed"; !s.says(want)() {
		t.Errorf("want a line with %q, found\n%s", want, s.out)
	}
}

// TestKeptReusedFailedAndDeleted follows one cluster through a run that keeps it, a run that needs another layout under its
// name, a run that uses it and fails, and its deletion. Before them, two runs are killed and leave a cluster each.
func TestKeptReusedFailedAndDeleted(t *testing.T) {
	const name = "cleanup-kept"
	before := snapshotNow(t)
	t.Cleanup(func() {
		if t.Failed() { // A kept cluster outlives the test, and the next run would find it.
			start(t, "down", "--name", name).exit(t, stopWithin)
		}
	})
	small, large := layoutOf(t, 1), layoutOf(t, 3)
	killWhileMaking(t, "cleanup-killed", small, 2)
	killWhileMaking(t, name, small, 2).wantRemoved(t, "cleanup-killed")
	run := start(t, "cluster", "--name", name, "--layout", large, "--keep", "always", "--focus", `\bimmediate_one_zone\b`, "--report-dir", t.TempDir())
	if got := run.exit(t, runWithin); got != 0 {
		t.Fatalf("want exit status 0, got %d", got)
	}
	run.wantRemoved(t, name)
	if nodes(name) == 0 {
		t.Fatal("want the cluster kept, found none of its nodes")
	}
	kept := snapshotNow(t)

	refused := start(t, "cluster", "--name", name, "--layout", small)
	if got := refused.exit(t, runWithin); got != 2 {
		t.Errorf("want exit status 2 of an occupied name, got %d", got)
	}
	if want := "a cluster named " + name + " runs with layout zones-3 "; !strings.Contains(refused.out.String(), want) {
		t.Errorf("want a sentence with %q", want)
	}
	for _, thing := range kept.since(t) {
		t.Errorf("a refused run changed something: %s", thing)
	}

	reports := t.TempDir()
	failing := start(t, "cluster", "--name", name, "--layout", large, "--focus", "immediate_(one|two)", "--parallel", "1", "--timeout-scale", "0.5", "--verbose", "--report-dir", reports)
	failing.await(t, "the first case passed", failing.says(" pass "))
	sabotage(t, name)
	if got := failing.exit(t, runWithin); got != 1 && got != 2 {
		t.Errorf("want exit status 1 or 2 when the driver is gone, got %d", got)
	}
	wantReport(t, reports)
	for _, thing := range kept.since(t) {
		if !strings.HasPrefix(thing, "process ") { // The cluster's own pods come and go.
			t.Errorf("a failed run left %s in a cluster that it found", thing)
		}
	}

	if got := start(t, "down", "--name", name).exit(t, stopWithin); got != 0 {
		t.Errorf("want exit status 0 of deleting the cluster, got %d", got)
	}
	wantNothingLeft(t, before)
}

// sabotage removes the driver's controller.
func sabotage(t *testing.T, cluster string) {
	t.Helper()
	onControlPlane(t, cluster, "kubectl", "--kubeconfig=/etc/kubernetes/admin.conf",
		"--namespace=hostpath-topo", "scale", "deployment/hostpath-topo-controller", "--replicas=0")
}

// lockedBuffer is a buffer that a test can read while the command writes to it.
type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

// onControlPlane runs a command on the cluster's control plane, and returns its output.
func onControlPlane(t *testing.T, cluster string, command ...string) string {
	t.Helper()
	run := exec.Command("docker", append([]string{"exec", cluster + "-control-plane"}, command...)...)
	run.Env = os.Environ()
	if exec.Command("docker", "version").Run() != nil {
		run.Env = append(run.Env, "DOCKER_HOST="+privateEngine)
	}
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("running %q on the control plane: %v: %s", command[0], err, out)
	}
	return string(out)
}
