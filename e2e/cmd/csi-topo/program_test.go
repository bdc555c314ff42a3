// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/report"
)

// Ginkgo runs one suite per process, so the tests run this test binary again as the program itself.
const (
	programVariable   = "CSI_TOPO_TEST_PROGRAM"
	interruptVariable = "CSI_TOPO_TEST_INTERRUPT_AT"
	sanityVariable    = "CSI_TOPO_TEST_SANITY_ALONE"
	driverVariable    = "CSI_TOPO_TEST_DRIVER_IN"
	segmentsVariable  = "CSI_TOPO_TEST_SEGMENTS"
	reportVariable    = "CSI_TOPO_TEST_REPORT_DIR"
)

func TestMain(m *testing.M) {
	if os.Getenv(programVariable) == "" {
		os.Exit(m.Run())
	}
	var out io.Writer = os.Stdout
	if at := os.Getenv(interruptVariable); at != "" {
		out = interrupting(at)
	}
	if dir := os.Getenv(driverVariable); dir != "" {
		os.Exit(driverAlone(dir))
	}
	if dir := os.Getenv(sanityVariable); dir != "" {
		os.Exit(sanityAlone(dir))
	}
	if count := os.Getenv(segmentsVariable); count != "" {
		os.Exit(specOnSegments(count, os.Getenv(reportVariable)))
	}
	os.Exit(supervise(func() int { return run(os.Args[1:], out, os.Stderr) }))
}

// endedProgram is a finished run of the program.
type endedProgram struct {
	out, errOut        string
	exit               int
	reportDir, tempDir string
}

// inMemory returns a directory that is removed when the test ends. It has a short path, for sockets, and is in memory if
// the system has such a file system.
func inMemory(t testing.TB) string {
	t.Helper()
	dir, err := embedded.MkdirTemp("test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// program runs the program. If interruptAt is not empty, the program is interrupted when it prints that text.
func program(t testing.TB, interruptAt string, args ...string) endedProgram {
	t.Helper()
	p := endedProgram{reportDir: t.TempDir(), tempDir: inMemory(t)}
	if args[0] == "spec" && !slices.Contains(args, "--report-dir") {
		args = append(args, "--report-dir", p.reportDir)
	}
	var out, errOut bytes.Buffer
	command := exec.CommandContext(t.Context(), os.Args[0], args...)
	command.Env = append(os.Environ(), programVariable+"=1", interruptVariable+"="+interruptAt, "TMPDIR="+p.tempDir, "XDG_CACHE_HOME="+p.tempDir)
	command.Stdout, command.Stderr = &out, &errOut
	err := command.Run()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		t.Fatal(err)
	}
	p.out, p.errOut, p.exit = out.String(), errOut.String(), command.ProcessState.ExitCode()
	return p
}

func (p endedProgram) report(t testing.TB) report.ConformanceReport {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(p.reportDir, "report.yaml"))
	if err != nil {
		t.Fatalf("%v\n%s%s", err, p.out, p.errOut)
	}
	var r report.ConformanceReport
	if err := yaml.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func (p endedProgram) leftNothingBehind(t testing.TB) {
	t.Helper()
	left, err := os.ReadDir(p.tempDir)
	if err != nil || len(left) > 0 {
		t.Errorf("want no temporary file left, got %v, %v", left, err)
	}
}

// interrupting returns standard output that interrupts its own process when the text is first printed.
func interrupting(at string) io.Writer {
	received := make(chan os.Signal, 1)
	signal.Notify(received, os.Interrupt)
	done := false
	return writer(func(p []byte) (int, error) {
		if !done && strings.Contains(string(p), at) {
			done = true
			if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
				return 0, err
			}
			<-received
		}
		return os.Stdout.Write(p)
	})
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }
