// SPDX-License-Identifier: Apache-2.0

package runner_test

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestAnInterruptIsReported(t *testing.T) {
	for _, test := range []struct {
		name   string
		suite  string
		signal os.Signal
	}{
		{name: "Ctrl-C", suite: "interrupt", signal: os.Interrupt},
		{name: "the end of a CI job", suite: "interrupt", signal: syscall.SIGTERM},
		{name: "the end of the context", suite: "end-of-context"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			run := start(t, test.suite, "")
			if test.signal != nil {
				run.out.waitFor(t, waiting)
				run.interrupt(t, test.signal)
			}
			if got := run.exit(t); got != report.ExitError {
				t.Errorf("exit status: want 2, got %d", got)
			}
			r := run.report(t)
			if got := r.Cases[0]; got.Verdict != suite.Errored || got.Reason != "interrupted" {
				t.Errorf("T-1: want an error because it was interrupted, got %+v", got)
			}
			if got := r.Cases[1]; got.Verdict != suite.Errored || got.Reason != "not run" {
				t.Errorf("T-2: want an error because it was not run, got %+v", got)
			}
			if j := run.junit(t); j.Errors != 2 || j.Failures != 0 {
				t.Errorf("JUnit: want 2 errors and no failure, got %d and %d", j.Errors, j.Failures)
			}
			if page := string(run.read(t, "report.html")); !strings.Contains(page, "Not finished") {
				t.Error("report.html does not say that the run was not finished")
			}
			// One interrupt must not count twice, once as a signal and once as the end of the context.
			if !strings.Contains(run.out.String(), cleanedUp) {
				t.Errorf("want the case cleaned up, got:\n%s", run.out.String())
			}
		})
	}
}

func TestASecondInterruptSkipsTheCleanUpAndIsReported(t *testing.T) {
	run := start(t, "stubborn", "")
	run.out.waitFor(t, waiting)
	run.interrupt(t, os.Interrupt)
	run.out.waitFor(t, noticed)
	run.interrupt(t, os.Interrupt)
	if got := run.exit(t); got != report.ExitError {
		t.Errorf("exit status: want 2, got %d", got)
	}
	if got := run.report(t).Cases[0]; got.Verdict != suite.Errored || got.Reason != "interrupted" {
		t.Errorf("want an error because of the interrupt, got %+v", got)
	}
	run.read(t, "report.html")
	if strings.Contains(run.out.String(), cleanedUp) {
		t.Error("want no clean-up after a second interrupt")
	}
}

func (s *sample) interrupt(t *testing.T, signal os.Signal) {
	t.Helper()
	if err := s.command.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
}
