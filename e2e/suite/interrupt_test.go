// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// TestAnInterruptedRun checks the results of a run that ends after two seconds. All cases but the last two begin at once.
func TestAnInterruptedRun(t *testing.T) {
	cut := func(then func(ctx context.Context)) func(context.Context, string) {
		return func(ctx context.Context, _ string) {
			<-ctx.Done()
			then(ctx)
		}
	}
	cases := []struct {
		name    string
		given   func(ctx context.Context, id string)
		alone   bool
		verdict Verdict
		reason  string
		says    string
	}{
		{name: "passed before", given: takes, verdict: Passed},
		{name: "failed before", given: func(ctx context.Context, id string) { takes(ctx, id); Fail("MUST-1", "got Z3") }, verdict: Failed, says: "got Z3"},
		{name: "failed because of it", given: cut(func(ctx context.Context) { Fail("MUST-1", "no answer: %v", ctx.Err()) }),
			verdict: Errored, reason: Interrupted, says: "no answer: context deadline exceeded"},
		{name: "could not tell because of it", given: cut(func(context.Context) { CouldNotTell("no answer") }), verdict: Errored, reason: Interrupted, says: "no answer"},
		{name: "panicked because of it", given: cut(func(context.Context) { panic("nil map") }), verdict: Errored, reason: Interrupted, says: "nil map"},
		{name: "ended well in spite of it", given: cut(func(context.Context) {}), verdict: Passed},
		{name: "warned because of it", given: cut(func(ctx context.Context) { Warn(ctx, "MUST-1", "leaked a volume") }),
			verdict: Errored, reason: Interrupted, says: "leaked a volume"},
		{name: "had skipped itself", given: cut(func(context.Context) { Skip(ByEnvironment, "one zone") }), verdict: Skipped, reason: "one zone"},
		{name: "had left itself out", given: cut(func(context.Context) { LeaveOut("the driver is gone") }), verdict: Errored, reason: NotRun, says: "the driver is gone"},
		{name: "did not begin", given: takes, alone: true, verdict: Errored, reason: NotRun},
		{name: "did not begin either", given: takes, alone: true, verdict: Errored, reason: NotRun},
	}
	synctest.Test(t, func(t *testing.T) {
		area := Area[string]{Name: "placement"}
		var chosen []string
		for _, c := range cases {
			one := Case[string]{ID: c.name, Requirements: []string{"MUST-1"}, Run: c.given}
			if c.alone {
				one.Needs = alone()
			}
			area.Cases, chosen = append(area.Cases, one), append(chosen, c.name)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		var live atomic.Int32
		r := Runner[string]{AtOnce: 8, CleanUp: time.Minute, Lookup: byName, Stage: stage{cleanUp: func(ctx context.Context, _ string) {
			if ctx.Err() == nil {
				live.Add(1)
			}
		}}}
		results := r.Run(ctx, Plan[string]{Areas: []Area[string]{area}, Chosen: chosen})
		for i, c := range cases {
			got := results[i]
			if got.Verdict != c.verdict || got.Reason != c.reason || !strings.Contains(got.Message, c.says) {
				t.Errorf("%s: want %s, %q, %q, got %+v", c.name, c.verdict, c.reason, c.says, got)
			}
			if c.verdict == Errored && len(got.Blamed) > 0 {
				t.Errorf("%s: want no requirement blamed, got %q", c.name, got.Blamed)
			}
		}
		if live.Load() != 9 {
			t.Errorf("want each of the 9 cases that began cleaned up with a live context, got %d", live.Load())
		}
	})
}

// TestWhenAnInterruptedCaseEnds interrupts a case after a second and, where the test requests it, its clean-up two
// seconds later. Neither ends before it must.
func TestWhenAnInterruptedCaseEnds(t *testing.T) {
	const limit = time.Minute
	patient := func(ctx context.Context, _ string) { <-ctx.Done() }
	release := make(chan struct{})
	stuck := func(context.Context, string) { <-release }
	removing := func(ctx context.Context, _ string) {
		<-ctx.Done()
		Fail("MUST-1", "v1 is left: %v", ctx.Err())
	}
	for _, c := range []struct {
		name    string
		body    func(ctx context.Context, id string)
		cleanUp func(ctx context.Context, id string)
		aborted bool
		want    time.Duration // from the first interrupt
		says    string
	}{
		{name: "a clean-up ends with its limit", body: patient, cleanUp: removing, want: limit, says: "v1 is left: context deadline exceeded"},
		{name: "a clean-up ends when it is aborted", body: patient, cleanUp: removing, aborted: true, want: 2 * time.Second, says: "v1 is left: context canceled"},
		{name: "a case that does not end is left behind", body: stuck, want: noticedWithin + limit, says: "did not end"},
		{name: "a case that does not end is left behind soon after the abort", body: stuck, aborted: true, want: 2*time.Second + abortedWithin, says: "did not end"},
		{name: "a clean-up that does not end is left behind", body: patient, cleanUp: stuck, want: noticedWithin + limit, says: "did not end"},
		{name: "a clean-up that does not end is left behind soon after the abort", body: patient, cleanUp: stuck, aborted: true, want: 2*time.Second + abortedWithin, says: "did not end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release = make(chan struct{})
				defer close(release)
				abort, second := context.WithCancel(t.Context())
				defer second()
				ctx, first := context.WithCancel(WithAbort(t.Context(), abort))
				defer first()
				var interrupted time.Time
				time.AfterFunc(time.Second, func() {
					interrupted = time.Now()
					first()
				})
				if c.aborted {
					time.AfterFunc(3*time.Second, second)
				}
				r := Runner[string]{Stage: stage{cleanUp: c.cleanUp}, CleanUp: limit}
				area := Area[string]{Cases: []Case[string]{{ID: "T-1", Run: c.body}, {ID: "T-2", Run: takes}}}
				results := r.Run(ctx, Plan[string]{Areas: []Area[string]{area}, Chosen: []string{"T-1", "T-2"}})
				took := time.Since(interrupted)
				cut, next := results[0], results[1]
				if took != c.want || cut.Verdict != Errored || !strings.Contains(cut.Message, c.says) || cut.Took != time.Second+c.want {
					t.Errorf("want an error after %s that says %q, got after %s %+v", c.want, c.says, took, cut)
				}
				if cut.Reason != Interrupted || len(cut.Blamed) > 0 {
					t.Errorf("want the case interrupted and nothing blamed, got %+v", cut)
				}
				if next.Reason != NotRun {
					t.Errorf("want the next case not run, got %+v", next)
				}
				if Aborted(ctx) != c.aborted {
					t.Errorf("Aborted: got %t", Aborted(ctx))
				}
			})
		})
	}
}

// TestAnAbortedCleanUp interrupts the run after the case has ended, and then aborts the clean-up.
func TestAnAbortedCleanUp(t *testing.T) {
	for _, c := range []struct {
		name  string
		given func()
		want  Result
	}{
		{"of a case that failed", func() { Fail("MUST-1", "got Z3") },
			Result{Verdict: Failed, Message: "got Z3\nthen, while cleaning up: no answer"}},
		{"of a case that passed", func() {}, Result{Verdict: Errored, Reason: Interrupted, Message: "the run was interrupted while the case ran: no answer"}},
		{"that meets with the same", func() { CouldNotTell("no answer") }, Result{Verdict: Errored, Reason: CouldNot, Message: "no answer"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				abort, second := context.WithCancel(t.Context())
				defer second()
				ctx, first := context.WithCancel(WithAbort(t.Context(), abort))
				defer first()
				r := Runner[string]{CleanUp: time.Minute, Stage: stage{cleanUp: func(cleaning context.Context, _ string) {
					first()
					second()
					<-cleaning.Done()
					Fail("MUST-1", "no answer")
				}}}
				got := r.One(ctx, Case[string]{ID: "T-1", Run: func(context.Context, string) { c.given() }}, Listed{ID: "T-1"})
				if got.Verdict != c.want.Verdict || got.Reason != c.want.Reason || got.Message != c.want.Message {
					t.Errorf("want %+v, got %+v", c.want, got)
				}
			})
		})
	}
}

// TestACutCaseSaysItOnce checks that there is one message if a case and its clean-up end with the same error.
func TestACutCaseSaysItOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	gone := func() { CouldNotTell("the driver is gone") }
	r := Runner[string]{CleanUp: time.Minute, Stage: stage{cleanUp: func(context.Context, string) { gone() }}}
	got := r.One(ctx, Case[string]{ID: "T-1", Run: func(context.Context, string) { cancel(); gone() }}, Listed{ID: "T-1"})
	if want := "the run was interrupted while the case ran: the driver is gone"; got.Message != want {
		t.Errorf("want %q, got %q", want, got.Message)
	}
}

func TestTheLimitOfACaseIsNoInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		waits := Case[string]{ID: "T-1", Run: func(ctx context.Context, _ string) {
			<-ctx.Done()
			CouldNotTell("no answer: %v", ctx.Err())
		}}
		r := Runner[string]{Stage: stage{}, Limit: func(Case[string]) time.Duration { return 3 * time.Second }}
		got := r.One(t.Context(), waits, Listed{ID: "T-1"})
		if got.Reason != CouldNot || got.Took != 3*time.Second || got.Message != "no answer: context deadline exceeded" {
			t.Errorf("want that it could not tell after 3s, got %+v", got)
		}
	})
}

func TestAnEndedRunBeginsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, atOnce := range []int{1, 2} {
		var d diary
		second := guest{run: func(_ context.Context, id string, watch Watcher) { watch.Begin(id) }}
		r := Runner[string]{Stage: stage{cleanUp: func(_ context.Context, id string) { t.Errorf("%s was cleaned up", id) }}, AtOnce: atOnce, Watch: &d}
		plan := Plan[string]{Areas: areas(), Guest: second, Guests: guests(), Chosen: append(strings.Fields(declaredOrder), "G-1", "G-2")}
		for _, result := range r.Run(ctx, plan) {
			if result.Verdict != Errored || result.Reason != NotRun {
				t.Errorf("%d at once: want every case not run, got %+v", atOnce, result)
			}
		}
		if len(d.events) > 0 {
			t.Errorf("%d at once: want nothing begun, got %s", atOnce, d.events)
		}
	}
}

func TestOnSignals(t *testing.T) {
	ctx, stop := OnSignals(t.Context(), syscall.SIGUSR1)
	defer stop()
	signal := func() {
		if err := syscall.Kill(os.Getpid(), syscall.SIGUSR1); err != nil {
			t.Fatal(err)
		}
	}
	cleaning, end := CleanUp(ctx, time.Hour)
	defer end()
	if ctx.Err() != nil || Aborted(ctx) {
		t.Fatal("the context ended before a signal")
	}

	signal()
	<-ctx.Done()
	if !errors.Is(context.Cause(ctx), ErrSignal) || Aborted(ctx) || cleaning.Err() != nil {
		t.Errorf("first signal: want the cases ended and the clean-up not, got %v, %t and %v", context.Cause(ctx), Aborted(ctx), cleaning.Err())
	}

	signal()
	<-cleaning.Done()
	if !Aborted(ctx) || !errors.Is(cleaning.Err(), context.Canceled) {
		t.Errorf("second signal: want the clean-up ended, got %t and %v", Aborted(ctx), cleaning.Err())
	}
	late, endLate := CleanUp(ctx, time.Hour)
	defer endLate()
	<-late.Done() // a clean-up that begins later has no time either
}

func TestOnSignalsStops(t *testing.T) {
	ctx, stop := OnSignals(t.Context(), syscall.SIGUSR1)
	stop()
	if !errors.Is(context.Cause(ctx), context.Canceled) {
		t.Errorf("want the context ended by the caller, got %v", context.Cause(ctx))
	}
	parent, cancel := context.WithCancel(t.Context())
	ctx, stop = OnSignals(parent, syscall.SIGUSR1)
	defer stop()
	cancel()
	if <-ctx.Done(); Aborted(ctx) {
		t.Error("want the end of the parent to leave time for the clean-up")
	}
}
