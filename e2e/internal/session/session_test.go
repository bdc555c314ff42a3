// SPDX-License-Identifier: Apache-2.0

package session

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestEachVerdictReachesReportAndExitStatus(t *testing.T) {
	dies := func(context.Context) { panic("nil map") }
	for _, c := range []struct {
		name             string
		given            body
		cleanUp          body
		want             suite.Verdict
		exit             int
		says             string
		failures, errors int
	}{
		{name: "pass", given: bodies()[suite.Passed], want: suite.Passed},
		{name: "warn", given: bodies()[suite.Warned], want: suite.Warned, says: "took 9 s"},
		{name: "fail", given: bodies()[suite.Failed], want: suite.Failed, exit: report.ExitFailed, says: "asked for Z2, got Z3", failures: 1},
		{name: "could not tell", given: bodies()[suite.Errored], want: suite.Errored, exit: report.ExitError, says: "the watch broke", errors: 1},
		{name: "panic", given: dies, want: suite.Errored, exit: report.ExitError, says: "nil map", errors: 1},
		{name: "the clean-up could not tell", cleanUp: bodies()[suite.Errored], want: suite.Errored, exit: report.ExitError, says: "the watch broke", errors: 1},
		{name: "skip", given: bodies()[suite.Skipped], want: suite.Skipped, exit: report.ExitError},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := sample(suite.Options{ReportDir: dir, Seed: 7}, c.given)
			s.Prepare = func(_ context.Context, r *suite.Runner[any]) error {
				r.Stage, r.CleanUp = stage{cleanUp: c.cleanUp}, time.Minute
				return nil
			}
			result, err := s.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got := report.ExitCode(result); got != c.exit {
				t.Errorf("exit status: want %d, got %d", c.exit, got)
			}
			r, j := written(t, dir)
			if got := r.Cases[0]; got.ID != "T-1" || got.Text != "goes near" || got.Verdict != c.want || !strings.Contains(got.Message, c.says) {
				t.Errorf("case: want T-1, %s and %q, got %+v", c.want, c.says, got)
			}
			if got := r.Requirements[0]; got.ID != "TR-01" || got.Level != "MUST" || got.Grades != "vendor" || got.Verdict != c.want {
				t.Errorf("requirement: want TR-01, a MUST of vendors, and %s, got %+v", c.want, got)
			}
			if j.Tests != 1 || j.Failures != c.failures || j.Errors != c.errors {
				t.Errorf("JUnit: want 1 test, %d failures and %d errors, got %d, %d and %d", c.failures, c.errors, j.Tests, j.Failures, j.Errors)
			}
			if r.Driver.Name != "sample" || r.Suite.Seed != 7 || r.Suite.Version == "" {
				t.Errorf("want the driver as described, seed 7 and a version, got %q and %+v", r.Driver.Name, r.Suite)
			}
			read(t, dir, "report.html")
		})
	}
}

func TestAFailureOfWhatIsNoMustIsAWarning(t *testing.T) {
	result, err := sample(suite.Options{}, func(context.Context) { suite.Fail("CE-03", "no") }).Run(t.Context())
	if err != nil || result.Cases[0].Verdict != suite.Warned || report.ExitCode(result) != report.ExitPassed {
		t.Errorf("want the register to make it a warning, got %+v and %v", result, err)
	}
}

func TestProgressAndClosingTable(t *testing.T) {
	var out bytes.Buffer
	dir := t.TempDir()
	if _, err := sample(suite.Options{ReportDir: dir, Seed: 7, Out: &out, Verbose: true}, nil, nil).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"csi-topo spec: 2 of 2 cases, seed 7\n", "1/2  pass   T-1 goes near", "2/2  pass   T-2 goes far", "AREA", "placement  2     0", "report in " + dir} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("want %q in:\n%s", want, out.String())
		}
	}
}

func TestWhichCasesRun(t *testing.T) {
	is := func(wanted string) func(string) bool { return func(id string) bool { return id == wanted } }
	for _, c := range []struct {
		name  string
		given suite.Options
		only  func(id string) bool
		want  string
	}{
		{name: "all", want: "T-1 T-2"},
		{name: "a focus on an id", given: suite.Options{Focus: []string{"^T-2$"}}, want: "T-2"},
		{name: "a focus on a text", given: suite.Options{Focus: []string{"^goes far$"}}, want: "T-2"},
		{name: "a label filter", given: suite.Options{Label: "req:TR-01 && !slow"}, want: "T-1"},
		{name: "only one, as go test -run says", only: is("T-1"), want: "T-1"},
		{name: "none of those that the options choose", given: suite.Options{Cases: []string{"T-2"}}, only: is("T-1")},
	} {
		t.Run(c.name, func(t *testing.T) {
			var ran []string
			note := func(id string) body { return func(context.Context) { ran = append(ran, id) } }
			s := sample(c.given, note("T-1"), note("T-2"))
			s.Only = c.only
			result, err := s.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(ran, " "); got != c.want {
				t.Errorf("want %s to run, got %s", c.want, got)
			}
			for _, of := range result.Cases {
				if left := !strings.Contains(c.want, of.ID); left != (of.DecidedBy == suite.ByFilter) {
					t.Errorf("want %s left out by the filter: %t, got %+v", of.ID, left, of)
				}
			}
		})
	}
}

func TestUnpreparedCasesAreErrors(t *testing.T) {
	ended, end := context.WithCancelCause(t.Context())
	end(errors.New("out of time"))
	for _, c := range []struct {
		name    string
		given   context.Context
		prepare func(ctx context.Context, r *suite.Runner[any]) error
		says    string
	}{
		{"no cluster", t.Context(), func(context.Context, *suite.Runner[any]) error { return errors.New("no cluster") }, "no cluster"},
		{"interrupted meanwhile", ended, func(context.Context, *suite.Runner[any]) error { return nil }, "interrupted before the first case: out of time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, finished := t.TempDir(), false
			s := sample(suite.Options{ReportDir: dir, Cases: []string{"T-1"}}, func(context.Context) { t.Error("a case ran") }, nil)
			s.Prepare = c.prepare
			s.Finish = func(context.Context, io.Writer) error { finished = true; return errors.New("a volume is left") }
			result, err := s.Run(c.given)
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "a volume is left") || !finished {
				t.Errorf("want an error that says %q and what is left, got %v", c.says, err)
			}
			if result == nil || report.ExitCode(result) != report.ExitError {
				t.Errorf("want a report with exit status 2, got %+v", result)
			}
			r, j := written(t, dir)
			if got := r.Cases[0]; got.Verdict != suite.Errored || got.Reason != suite.NotRun || got.Message != c.says {
				t.Errorf("T-1: want an error, not run, got %+v", got)
			}
			if got := r.Cases[1]; got.DecidedBy != suite.ByFilter {
				t.Errorf("T-2: want it left out by the filter, got %+v", got)
			}
			if r.Requirements[0].Verdict != suite.Errored || j.Errors != 1 {
				t.Errorf("want TR-01 and junit.xml to have the error, got %+v and %d", r.Requirements, j.Errors)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	twice := sample(suite.Options{}, nil, nil)
	twice.Areas = append(twice.Areas, suite.Area[any]{Name: "capacity", Cases: twice.Areas[0].Cases[:1]})
	unlisted := sample(suite.Options{}, nil)
	unlisted.Guest = refusing{}
	for _, c := range []struct {
		name  string
		given Session[any]
		says  string
	}{
		{"a focus that leaves nothing", sample(suite.Options{Focus: []string{"T-9"}}, nil, nil), `none of the 2 cases is left by focus "T-9"; `},
		{"a focus that is no regular expression", sample(suite.Options{Focus: []string{"T-("}}, nil), `focus "T-(" is not a regular expression`},
		{"two cases of one id", twice, "two cases have the id T-1"},
		{"a guest that cannot be listed", unlisted, "no list"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.given.Prepare = func(context.Context, *suite.Runner[any]) error { t.Error("cases were prepared"); return nil }
			c.given.Finish = func(context.Context, io.Writer) error { t.Error("something was taken back"); return nil }
			if result, err := c.given.Run(t.Context()); result != nil || err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("want a refusal that says %q, got %v", c.says, err)
			}
		})
	}
}

type refusing struct{ suite.Guest }

func (refusing) List(context.Context) ([]suite.Listed, error) { return nil, errors.New("no list") }

func TestInterruptsAreReported(t *testing.T) {
	waits := func(ctx context.Context) {
		<-ctx.Done()
		suite.Fail("TR-01", "no answer: %v", ctx.Err())
	}
	for _, c := range []struct {
		name    string
		timeout time.Duration // of the run
		until   time.Duration // of its context
	}{
		{name: "the time limit", timeout: time.Minute, until: time.Hour},
		{name: "the end of the context", until: time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began, dir, described := time.Now(), t.TempDir(), false
				var out bytes.Buffer
				s := sample(suite.Options{ReportDir: dir, Timeout: c.timeout, Out: &out, Seed: 7}, waits, waits)
				s.Describe = func(context.Context, *report.ConformanceReport) { described = true }
				ctx, cancel := context.WithTimeout(t.Context(), c.until)
				defer cancel()
				result, err := s.Run(ctx)
				if err != nil || report.ExitCode(result) != report.ExitError {
					t.Errorf("want a report with exit status 2, got %+v and %v", result, err)
				}
				if took := time.Since(began); took != time.Minute || !described {
					t.Errorf("want the run to end after a minute with a description, got %s and %t", took, described)
				}
				r, j := written(t, dir)
				if got := r.Cases[0]; got.Verdict != suite.Errored || got.Reason != suite.Interrupted {
					t.Errorf("T-1: want an error because it was interrupted, got %+v", got)
				}
				if got := r.Cases[1]; got.Verdict != suite.Errored || got.Reason != suite.NotRun {
					t.Errorf("T-2: want an error because it was not run, got %+v", got)
				}
				if j.Errors != 2 || j.Failures != 0 {
					t.Errorf("JUnit: want 2 errors and no failure, got %d and %d", j.Errors, j.Failures)
				}
				if page := read(t, dir, "report.html"); !bytes.Contains(page, []byte("Not finished")) {
					t.Error("report.html does not say that the run was not finished")
				}
				if !strings.Contains(out.String(), "cases are no longer run") {
					t.Errorf("want the progress to say that cases are no longer run, got:\n%s", out.String())
				}
			})
		})
	}
}

func TestAReportThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	s := sample(suite.Options{ReportDir: dir}, func(context.Context) {
		if err := os.MkdirAll(dir+"/report.yaml/taken", 0o755); err != nil {
			t.Error(err)
		}
	})
	if result, err := s.Run(t.Context()); err == nil || result == nil || result.Summary.Pass != 1 {
		t.Errorf("want an error and the report, got %v and %+v", err, result)
	}
}

// TestSessionsAtOnce checks that two concurrent sessions, whose cases wait for each other, do not affect each other.
func TestSessionsAtOnce(t *testing.T) {
	type run struct {
		out    bytes.Buffer
		dir    string
		result *report.ConformanceReport
		err    error
	}
	began := []chan struct{}{make(chan struct{}), make(chan struct{})}
	ends := []body{bodies()[suite.Passed], bodies()[suite.Failed]}
	runs := []*run{{dir: t.TempDir()}, {dir: t.TempDir()}}
	var both sync.WaitGroup
	for i, r := range runs {
		both.Go(func() {
			s := sample(suite.Options{ReportDir: r.dir, Out: &r.out, Seed: int64(i + 1), Verbose: true}, func(ctx context.Context) {
				close(began[i])
				select {
				case <-began[1-i]:
				case <-ctx.Done():
				}
				ends[i](ctx)
			})
			s.Tier = []string{"spec", "cluster"}[i]
			r.result, r.err = s.Run(t.Context())
		})
	}
	both.Wait()
	for i, r := range runs {
		if r.err != nil {
			t.Fatal(r.err)
		}
		want := []suite.Verdict{suite.Passed, suite.Failed}[i]
		stored, j := written(t, r.dir)
		if got := stored.Cases[0].Verdict; got != want || r.result.Cases[0].Verdict != want || stored.Suite.Seed != int64(i+1) || j.Failures != i {
			t.Errorf("session %d: want %s, got %s, seed %d and %d failures", i, want, got, stored.Suite.Seed, j.Failures)
		}
		if out := r.out.String(); strings.Count(out, "T-1 goes near  (") != 1 || strings.Contains(out, runs[1-i].dir) || strings.Contains(out, "got Z3") != (i == 1) {
			t.Errorf("session %d: want only what it does itself, got:\n%s", i, out)
		}
	}
}
