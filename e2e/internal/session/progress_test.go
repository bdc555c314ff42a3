// SPDX-License-Identifier: Apache-2.0

package session

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/internal/screen"
)

func result(id, text string, v suite.Verdict) suite.Result {
	return suite.Result{Listed: suite.Listed{ID: id, Text: text}, Verdict: v, Took: 1500 * time.Millisecond}
}

func TestProgress(t *testing.T) {
	unrun := suite.Unrun(suite.Listed{ID: "T-4"}, "the driver is gone")
	const gone = "cases are no longer run: the driver is gone"
	for _, c := range []struct {
		name    string
		verbose bool
		want    []string
	}{
		{name: "those that do not pass", want: []string{"2/6  fail   T-2 fails  (1.50s)", "4/6  warn   T-5 warns  (1.50s)", "5/6  " + gone}},
		{name: "every case", verbose: true, want: []string{"1/6  pass   T-1 passes  (1.50s)", "2/6  fail   T-2 fails  (1.50s)", "3/6  skip   T-3 skips  (1.50s)",
			"4/6  warn   T-5 warns  (1.50s)", "5/6  " + gone}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out strings.Builder
				start := time.Now()
				p := newProgress(suite.Options{Out: &out, Verbose: c.verbose}, start, 6)
				if got, want := p.line(start.Add(time.Second)), "    1s  0/6  running "; got != want {
					t.Errorf("before the first case: got %q, want %q", got, want)
				}
				for _, id := range []string{"T-1", "T-2", "T-3"} {
					p.Begin(id)
				}
				p.End(result("T-1", "passes", suite.Passed))
				p.End(result("T-2", "fails", suite.Failed))
				if got, want := p.line(start.Add(30*time.Second)), "   30s  2/6  running T-3"; got != want {
					t.Errorf("got %q, want %q", got, want)
				}
				p.End(result("T-3", "skips", suite.Skipped))
				if got, want := p.line(start.Add(30*time.Second)), "   30s of about 60s  3/6  running "; got != want {
					t.Errorf("got %q, want %q", got, want)
				}
				p.End(result("T-5", "warns", suite.Warned))
				p.End(unrun)
				p.End(unrun) // is printed once
				want := "    0s  " + strings.Join(c.want, "\n    0s  ") + "\n"
				if out.String() != want {
					t.Errorf("want\n%s, got\n%s", want, out.String())
				}
			})
		})
	}
}

func TestProgressNamesTheCasesThatRunSideBySide(t *testing.T) {
	start := time.Now()
	p := newProgress(suite.Options{}, start, 8)
	for _, id := range []string{"T-1", "T-2", "T-3"} {
		p.Begin(id)
	}
	p.Begin("T-0")
	p.End(result("T-2", "", suite.Passed))
	if got, want := p.line(start.Add(30*time.Second)), "   30s  1/8  running T-1, T-3, T-0"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestProgressIsPrintedWhenNothingElseIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		p := newProgress(suite.Options{Out: &out, ProgressEvery: 10 * time.Second, Verbose: true}, time.Now(), 2)
		stop := p.start(t.Context(), time.Now())
		p.Begin("T-1")
		printed := func(after time.Duration) int {
			time.Sleep(after) //nolint:forbidigo // on fake time
			synctest.Wait()
			p.mutex.Lock()
			defer p.mutex.Unlock()
			return strings.Count(out.String(), "running")
		}
		printed(6 * time.Second)
		p.End(result("T-1", "passes", suite.Passed))
		p.Begin("T-2")
		if n := printed(5 * time.Second); n != 0 {
			t.Errorf("want no progress line 5 s after another line, got:\n%s", out.String())
		}
		if n := printed(10 * time.Second); n != 1 {
			t.Errorf("want one progress line 15 s after the last line, got:\n%s", out.String())
		}
		stop()
		if n := printed(time.Minute); n != 1 {
			t.Errorf("want no progress line after the end, got:\n%s", out.String())
		}
	})
}

func TestProgressOnAScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := newProgress(suite.Options{Out: screen.New(&out, func() int { return 80 }), ProgressEvery: time.Second}, time.Now(), 2)
		stop := p.start(t.Context(), time.Now())
		p.Begin("T-1")
		time.Sleep(1500 * time.Millisecond) //nolint:forbidigo // on fake time
		synctest.Wait()
		shown := out.Len()
		if !strings.HasSuffix(out.String(), "    1s  0/2  running T-1") {
			t.Errorf("want the last line to say what runs, got %q", out.String())
		}
		stop()
		if left := out.String()[shown:]; left != "\r\x1b[K" {
			t.Errorf("want the last line erased at the end, got %q", left)
		}
	})
}
