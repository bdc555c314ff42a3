// SPDX-License-Identifier: Apache-2.0

package runner

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/verdict"
	"github.com/csi-topo/csi-topo/internal/screen"
)

// recorder sees a run go by: it prints its progress and keeps what the report needs. Ginkgo calls it from one goroutine
// at a time; what remains is told by another.
type recorder struct {
	out io.Writer
	// screen is out where it is one: it shows how far the run is. Elsewhere a line says so when every has gone by without
	// another one.
	screen *screen.Screen
	every  time.Duration
	// verbose prints a line for each case, else there is one for each that did not pass.
	verbose bool
	// beside tells how many cases have ended and are still to be reported, and which run side by side.
	beside func() (ahead int, running []string)

	mutex    sync.Mutex // guards what follows, and out
	run      types.Report
	complete bool
	done     int
	running  string
	leftOut  string    // why cases were not run, as last printed
	printed  time.Time // when the last line was
	stop     func()
}

// register puts the recorder into the tree of cases, where Ginkgo runs it even after an interrupt. The context is
// watched from the moment when Ginkgo has begun to listen for interrupts.
func (r *recorder) register(ctx context.Context) {
	unwatch := func() {}
	ginkgo.ReportBeforeSuite(func(run types.Report) {
		r.begin(ctx, run)
		unwatch = interruptWhenDone(ctx)
	})
	ginkgo.ReportBeforeEach(r.beginCase)
	ginkgo.ReportAfterEach(r.finishCase)
	ginkgo.ReportAfterSuite("report", func(run types.Report) {
		unwatch()
		r.mutex.Lock()
		defer r.mutex.Unlock()
		r.run, r.complete = run, true
	})
}

func (r *recorder) begin(ctx context.Context, run types.Report) {
	r.run = run
	fmt.Fprintf(r.out, "%s: %d of %d cases, seed %d\n", run.SuiteDescription,
		run.PreRunStats.SpecsThatWillRun, run.PreRunStats.TotalSpecs, run.SuiteConfig.RandomSeed)
	if r.every > 0 {
		r.stop = r.tellProgress(ctx)
	}
}

// tellProgress shows how far the run is, or prints it whenever nothing else was printed for a while. Stop ends that, and
// returns when the last line is out.
func (r *recorder) tellProgress(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // an interrupted run goes on while it cleans up
	ended := make(chan struct{})
	ticker := time.NewTicker(r.every)
	go func() {
		defer close(ended)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case now := <-ticker.C:
				r.mutex.Lock()
				switch {
				case r.screen != nil:
					r.screen.Show(r.progress(now))
				case now.Sub(r.printed) >= r.every:
					r.print(now, r.progress(now))
				}
				r.mutex.Unlock()
			}
		}
	}()
	return func() {
		cancel()
		<-ended
		if r.screen != nil {
			r.screen.Show("")
		}
	}
}

func (r *recorder) print(now time.Time, line string) {
	r.printed = now
	fmt.Fprintln(r.out, line)
}

// progress is a line that says how far the run is, how long it takes if the other cases take as long as those before
// them, and what runs.
func (r *recorder) progress(now time.Time) string {
	took := now.Sub(r.run.StartTime)
	running := r.running
	if r.beside != nil {
		if _, ids := r.beside(); len(ids) > 0 { // Ginkgo may be waiting for a case that has not begun
			running = strings.Join(ids, ", ")
		}
	}
	expected := ""
	if ended := r.ended(); ended > 0 {
		all := took * time.Duration(r.run.PreRunStats.SpecsThatWillRun) / time.Duration(ended)
		expected = fmt.Sprintf(" of about %.0fs", all.Seconds())
	}
	return fmt.Sprintf("%5.0fs%s  %s  running %s", took.Seconds(), expected, r.count(), running)
}

// count is how many cases have ended, and of how many.
func (r *recorder) count() string {
	all := r.run.PreRunStats.SpecsThatWillRun
	return fmt.Sprintf("%*d/%d", len(fmt.Sprint(all)), r.ended(), all)
}

// ended is how many cases have ended.
func (r *recorder) ended() int {
	if r.beside == nil {
		return r.done
	}
	ahead, _ := r.beside()
	return r.done + ahead
}

func (r *recorder) beginCase(spec types.SpecReport) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if !spec.State.Is(types.SpecStateSkipped | types.SpecStatePending) {
		r.running = spec.LeafNodeText
	}
}

func (r *recorder) finishCase(spec types.SpecReport) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.run.SpecReports = append(r.run.SpecReports, spec)
	neverBegan := spec.State == types.SpecStateSkipped && spec.Failure.Message == "" || spec.State == types.SpecStatePending
	if neverBegan {
		return
	}
	r.done++
	now, judged := time.Now(), report.Judge(spec, grade)
	switch {
	case judged.Reason == suite.NotRun:
		if judged.Message != r.leftOut { // once, for all cases that do not run for this reason
			r.leftOut = judged.Message
			r.print(now, fmt.Sprintf("%5.0fs  %s  cases are no longer run: %s", now.Sub(r.run.StartTime).Seconds(), r.count(), judged.Message))
		}
	case r.verbose || judged.Verdict != suite.Passed && judged.Verdict != suite.Skipped:
		r.print(now, fmt.Sprintf("%5.0fs  %s  %-5s  %s  (%.2fs)", now.Sub(r.run.StartTime).Seconds(), r.count(), judged.Verdict, spec.LeafNodeText, verdict.TimeOf(spec).Seconds()))
	}
}

// finished is the run's own report, or what was seen of it where a third interrupt kept Ginkgo from making one.
func (r *recorder) finished() types.Report {
	if r.stop != nil {
		r.stop()
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if !r.complete {
		r.run.RunTime = time.Since(r.run.StartTime)
		r.run.SpecialSuiteFailureReasons = append(r.run.SpecialSuiteFailureReasons, "Interrupted before the cases that are missing here")
	}
	return r.run
}
