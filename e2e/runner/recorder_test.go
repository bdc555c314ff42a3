// SPDX-License-Identifier: Apache-2.0

package runner

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// A third interrupt makes Ginkgo leave without a word.
func TestARunThatGinkgoDidNotConcludeIsAnError(t *testing.T) {
	r := &recorder{out: io.Discard, every: time.Hour}
	r.begin(t.Context(), types.Report{PreRunStats: types.PreRunStats{TotalSpecs: 2, SpecsThatWillRun: 2}})
	r.finishCase(types.SpecReport{LeafNodeType: types.NodeTypeIt, LeafNodeText: "passes", State: types.SpecStatePassed})
	got := report.FromGinkgo(r.finished(), "spec", nil)
	if got.Summary.Pass != 1 || report.ExitCode(got) != report.ExitError {
		t.Errorf("want the case that passed, and exit status 2, got %+v and %d", got.Summary, report.ExitCode(got))
	}
}

func TestProgress(t *testing.T) {
	passes := types.SpecReport{LeafNodeType: types.NodeTypeIt, LeafNodeText: "T-1 passes", State: types.SpecStatePassed}
	fails := types.SpecReport{LeafNodeType: types.NodeTypeIt, LeafNodeText: "T-2 fails", State: types.SpecStateFailed,
		Failure: types.Failure{Message: "no", FailureNodeType: types.NodeTypeIt}}
	leftOut := types.SpecReport{LeafNodeType: types.NodeTypeIt, LeafNodeText: "T-3 is left out", State: types.SpecStateSkipped}
	for _, c := range []struct {
		name    string
		verbose bool
		want    []string
		not     []string
	}{
		{name: "those that do not pass", want: []string{"2/4  fail   T-2 fails"}, not: []string{"T-1 passes", "T-3"}},
		{name: "every case", verbose: true, want: []string{"1/4  pass   T-1 passes", "2/4  fail   T-2 fails"}, not: []string{"T-3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			start := time.Now()
			r := &recorder{out: &out, verbose: c.verbose, every: time.Hour}
			r.begin(t.Context(), types.Report{StartTime: start, PreRunStats: types.PreRunStats{TotalSpecs: 5, SpecsThatWillRun: 4}})
			if got, want := r.progress(start.Add(time.Second)), "    1s  0/4  running "; got != want {
				t.Errorf("before the first case: got %q, want %q", got, want)
			}
			for _, spec := range []types.SpecReport{passes, leftOut, fails} {
				ran := spec
				spec.State = spec.State & types.SpecStateSkipped // what is known before it runs
				r.beginCase(spec)
				r.finishCase(ran)
			}
			if got, want := r.progress(start.Add(30*time.Second)), "   30s of about 60s  2/4  running T-2 fails"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			r.finished()
			for _, want := range c.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("want %q in:\n%s", want, out.String())
				}
			}
			for _, not := range c.not {
				if strings.Contains(out.String(), not) {
					t.Errorf("want no %q in:\n%s", not, out.String())
				}
			}
		})
	}
}

func TestProgressNamesTheCasesThatRunSideBySide(t *testing.T) {
	start := time.Now()
	r := &recorder{out: io.Discard, beside: func() (int, []string) { return 2, []string{"T-4", "T-5"} }}
	r.begin(t.Context(), types.Report{StartTime: start, PreRunStats: types.PreRunStats{TotalSpecs: 8, SpecsThatWillRun: 8}})
	r.beginCase(types.SpecReport{LeafNodeText: "T-1 waits for its turn"})
	if got, want := r.progress(start.Add(30*time.Second)), "   30s of about 120s  2/8  running T-4, T-5"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestProgressIsToldUntilTheEnd(t *testing.T) {
	told := make(chan string, 1)
	r := &recorder{out: writer(func(p []byte) (int, error) {
		if strings.Contains(string(p), "running") {
			select {
			case told <- string(p):
			default:
			}
		}
		return len(p), nil
	}), every: time.Millisecond}
	r.begin(t.Context(), types.Report{StartTime: time.Now(), PreRunStats: types.PreRunStats{TotalSpecs: 1, SpecsThatWillRun: 1}})
	r.beginCase(types.SpecReport{LeafNodeText: "T-1 takes long"})
	<-told
	r.finished()
}

func TestProgressIsToldWhenNothingElseIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		r := &recorder{out: &out, every: 10 * time.Second, verbose: true}
		r.begin(t.Context(), types.Report{StartTime: time.Now(), PreRunStats: types.PreRunStats{TotalSpecs: 2, SpecsThatWillRun: 2}})
		r.beginCase(types.SpecReport{LeafNodeText: "T-1 passes"})
		time.Sleep(6 * time.Second) //nolint:forbidigo // on fake time
		r.finishCase(types.SpecReport{LeafNodeType: types.NodeTypeIt, LeafNodeText: "T-1 passes", State: types.SpecStatePassed})
		r.beginCase(types.SpecReport{LeafNodeText: "T-2 takes long"})
		told := func() int {
			synctest.Wait()
			r.mutex.Lock()
			defer r.mutex.Unlock()
			return strings.Count(out.String(), "running")
		}
		time.Sleep(5 * time.Second) //nolint:forbidigo // on fake time
		if n := told(); n != 0 {
			t.Errorf("want no word of progress 5 s after another line, got:\n%s", out.String())
		}
		time.Sleep(10 * time.Second) //nolint:forbidigo // on fake time
		if n := told(); n != 1 {
			t.Errorf("want one word of progress 15 s after the last line, got:\n%s", out.String())
		}
		r.finished()
	})
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }
