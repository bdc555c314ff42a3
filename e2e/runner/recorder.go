package runner

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// recorder sees a run go by: it prints a line for each finished case and keeps what the report needs. Ginkgo calls it
// from one goroutine at a time.
type recorder struct {
	out      io.Writer
	run      types.Report
	complete bool
	done     int
}

// register puts the recorder into the tree of cases, where Ginkgo runs it even after an interrupt. The context is
// watched from the moment when Ginkgo has begun to listen for interrupts.
func (r *recorder) register(ctx context.Context) {
	unwatch := func() {}
	ginkgo.ReportBeforeSuite(func(run types.Report) {
		r.begin(run)
		unwatch = interruptWhenDone(ctx)
	})
	ginkgo.ReportAfterEach(r.finishCase)
	ginkgo.ReportAfterSuite("report", func(run types.Report) {
		unwatch()
		r.run, r.complete = run, true
	})
}

func (r *recorder) begin(run types.Report) {
	r.run = run
	fmt.Fprintf(r.out, "%s: %d of %d cases, seed %d\n", run.SuiteDescription,
		run.PreRunStats.SpecsThatWillRun, run.PreRunStats.TotalSpecs, run.SuiteConfig.RandomSeed)
}

func (r *recorder) finishCase(spec types.SpecReport) {
	r.run.SpecReports = append(r.run.SpecReports, spec)
	neverBegan := spec.State == types.SpecStateSkipped && spec.Failure.Message == "" || spec.State == types.SpecStatePending
	if neverBegan {
		return
	}
	r.done++
	width := len(fmt.Sprint(r.run.PreRunStats.SpecsThatWillRun))
	fmt.Fprintf(r.out, "%5.0fs  %*d/%d  %-5s  %s  (%.2fs)\n", time.Since(r.run.StartTime).Seconds(),
		width, r.done, r.run.PreRunStats.SpecsThatWillRun, verdict.Judge(spec).Verdict, spec.LeafNodeText, spec.RunTime.Seconds())
}

// finished is the run's own report, or what was seen of it where a third interrupt kept Ginkgo from making one.
func (r *recorder) finished() types.Report {
	if !r.complete {
		r.run.RunTime = time.Since(r.run.StartTime)
		r.run.SpecialSuiteFailureReasons = append(r.run.SpecialSuiteFailureReasons, "Interrupted before the cases that are missing here")
	}
	return r.run
}
