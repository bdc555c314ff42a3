// SPDX-License-Identifier: Apache-2.0

package runner_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onsi/ginkgo/v2/reporters"
	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestEachVerdictReachesReportAndExitStatus(t *testing.T) {
	for _, test := range []struct {
		given       string
		want        suite.Verdict
		requirement suite.Verdict
		exit        int
		says        string
		failures    int
		errors      int
	}{
		{given: "pass", want: suite.Passed, requirement: suite.Passed, exit: 0},
		{given: "warn", want: suite.Warned, requirement: suite.Warned, exit: 0, says: "took 9 s"},
		{given: "fail", want: suite.Failed, requirement: suite.Failed, exit: 1, says: "to equal", failures: 1},
		{given: "could-not-tell", want: suite.Errored, requirement: suite.Errored, exit: 2, says: "the watch broke", errors: 1},
		{given: "panic", want: suite.Errored, requirement: suite.Errored, exit: 2, says: "nil map", errors: 1},
		{given: "fail-in-set-up", want: suite.Errored, requirement: suite.Errored, exit: 2, says: "no driver", errors: 1},
		{given: "fail-in-clean-up", want: suite.Errored, requirement: suite.Errored, exit: 2, says: "volume v1 is still there", errors: 1},
		{given: "skip", want: suite.Skipped, requirement: suite.Skipped, exit: 2},
	} {
		t.Run(test.given, func(t *testing.T) {
			t.Parallel()
			run := start(t, test.given, "")
			if got := run.exit(t); got != test.exit {
				t.Errorf("exit status: want %d, got %d", test.exit, got)
			}
			r := run.report(t)
			if got := r.Cases[0]; got.ID != "T-1" || got.Text == "" || got.Verdict != test.want || !strings.Contains(got.Message, test.says) {
				t.Errorf("case: want T-1, %s and %q, got %+v", test.want, test.says, got)
			}
			if got := r.Requirements[0]; got.ID != "TR-01" || got.Level != "MUST" || got.Grades != "vendor" || got.Verdict != test.requirement {
				t.Errorf("requirement: want TR-01, a MUST of vendors, and %s, got %+v", test.requirement, got)
			}
			if j := run.junit(t); j.Tests != 1 || j.Failures != test.failures || j.Errors != test.errors {
				t.Errorf("JUnit: want 1 test, %d failures and %d errors, got %d, %d and %d", test.failures, test.errors, j.Tests, j.Failures, j.Errors)
			}
			if r.Driver.Name != "sample" || r.Suite.Seed != 7 {
				t.Errorf("want the driver as described and seed 7, got %q and %d", r.Driver.Name, r.Suite.Seed)
			}
		})
	}
}

func TestProgressAndClosingTable(t *testing.T) {
	run := start(t, "two", "")
	run.exit(t)
	for _, want := range []string{"csi-topo spec: 2 of 2 cases, seed 7\n", "1/2  pass   T-1 goes near", "2/2  pass   T-2 goes far", "AREA", "placement  2     0"} {
		if !strings.Contains(run.out.String(), want) {
			t.Errorf("want %q in:\n%s", want, run.out.String())
		}
	}
	if strings.Contains(run.out.String(), "Running Suite") {
		t.Errorf("want nothing of Ginkgo's own reporter in:\n%s", run.out.String())
	}
}

func TestKubernetesObjectsArePrintedAsYAML(t *testing.T) {
	run := start(t, "fail-on-an-object", "")
	run.exit(t)
	message := run.report(t).Cases[0].Message
	if !strings.Contains(message, "name: reader") || strings.Contains(message, "kubelet") {
		t.Errorf("want the pod as YAML without managed fields, got:\n%s", message)
	}
}

func TestFocusMatchesIdsAndText(t *testing.T) {
	for _, focus := range []string{"^T-2$", "^goes far$"} {
		t.Run(focus, func(t *testing.T) {
			t.Parallel()
			run := start(t, "two", focus)
			if got := run.exit(t); got != 0 {
				t.Fatalf("exit status: want 0, got %d", got)
			}
			near, far := run.report(t).Cases[0], run.report(t).Cases[1]
			if near.DecidedBy != suite.ByFilter || far.Verdict != suite.Passed {
				t.Errorf("want T-1 left out by the filter and T-2 passed, got %+v and %+v", near, far)
			}
		})
	}
}

// TestUnpreparedCasesAreErrors has a run end before its first case: nothing was exercised, and the report says why.
func TestUnpreparedCasesAreErrors(t *testing.T) {
	s := start(t, unprepared, "")
	if got := s.exit(t); got != exitRefused {
		t.Errorf("want exit status %d, got %d", exitRefused, got)
	}
	r := s.report(t)
	want := report.Case{ID: "T-1", Verdict: suite.Errored, Reason: suite.NotRun, Message: "no cluster"}
	if got := r.Cases[0]; len(r.Cases) != 1 || got.Verdict != want.Verdict || got.Reason != want.Reason || got.Message != want.Message {
		t.Errorf("want %+v, got %+v", want, r.Cases)
	}
	if got := r.Summary; got.Error != 1 || got.Pass != 0 {
		t.Errorf("want one error, got %+v", got)
	}
	for _, requirement := range r.Requirements {
		if requirement.Verdict == suite.Passed {
			t.Errorf("want no requirement shown, got %+v", requirement)
		}
	}
	if junit := s.junit(t); junit.Errors != 1 {
		t.Errorf("want one error in junit.xml, got %+v", junit)
	}
}

func TestRefusals(t *testing.T) {
	for _, test := range []struct{ name, suite, focus, says string }{
		{name: "a focus that leaves nothing", suite: "two", focus: "T-9", says: `none of the 2 cases is left by focus "T-9"; `},
		{name: "a focus that is no regular expression", suite: "two", focus: "T-(", says: `focus "T-(" is not a regular expression`},
		{name: "a suite with a focused case", suite: "focused", says: "focused case"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			run := start(t, test.suite, test.focus)
			if got := run.exit(t); got != exitRefused || !strings.Contains(run.errOut.String(), test.says) {
				t.Errorf("want a refusal that says %q, got exit status %d and %q", test.says, got, run.errOut.String())
			}
		})
	}
}

// sample is a sample suite that runs as a program of its own.
type sample struct {
	command     *exec.Cmd
	dir         string
	out, errOut *output
}

func start(t *testing.T, name, focus string) *sample {
	t.Helper()
	s := &sample{dir: t.TempDir(), out: newOutput(), errOut: newOutput()}
	s.command = exec.CommandContext(t.Context(), os.Args[0])
	s.command.Env = append(os.Environ(), sampleVariable+"="+name, focusVariable+"="+focus, reportVariable+"="+s.dir)
	s.command.Stdout, s.command.Stderr = s.out, s.errOut
	if err := s.command.Start(); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *sample) exit(t *testing.T) int {
	t.Helper()
	err := s.command.Wait()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		t.Fatal(err)
	}
	return s.command.ProcessState.ExitCode()
}

func (s *sample) report(t *testing.T) report.ConformanceReport {
	t.Helper()
	var r report.ConformanceReport
	decoder := yaml.NewDecoder(bytes.NewReader(s.read(t, "report.yaml")))
	decoder.KnownFields(true)
	if err := decoder.Decode(&r); err != nil {
		t.Fatal(err)
	}
	return r
}

func (s *sample) junit(t *testing.T) reporters.JUnitTestSuites {
	t.Helper()
	var j reporters.JUnitTestSuites
	if err := xml.Unmarshal(s.read(t, "junit.xml"), &j); err != nil {
		t.Fatal(err)
	}
	return j
}

func (s *sample) read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		t.Fatalf("%v\n%s%s", err, s.out.String(), s.errOut.String())
	}
	return data
}
