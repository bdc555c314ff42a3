// SPDX-License-Identifier: Apache-2.0

// Package runner runs one tier's cases with Ginkgo outside of `go test`, shows their progress, and returns and writes
// their report. It knows nothing of what the cases do.
package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"
	"k8s.io/klog/v2"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/report/page"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/internal/screen"
)

// Run registers and runs one tier's cases in this process and returns its report, which it has also written to the
// report directory and summed up on the terminal. Between register and the end Ginkgo owns the process: Run can be
// called once.
//
// SIGINT, SIGTERM or the end of ctx interrupt the running case and skip the others; clean-up still runs and the report
// is still written; cases that could not begin are errors in it. A second signal skips the clean-up. An error says that
// the cases could not be run, or that the report, which is then returned as well, could not be written.
func Run(ctx context.Context, o Options, register func()) (*report.ConformanceReport, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	formatter.ColorableStdOut = io.Discard // Ginkgo's own reporter has no other switch
	defer NameCases()()
	defer printObjectsAsYAML()()
	klog.LogToStderr(false)
	klog.SetOutput(ginkgo.GinkgoWriter) // what clients and drivers log belongs to the case, in junit.xml
	gomega.RegisterFailHandler(ginkgo.Fail)

	register()
	name := "csi-topo " + o.Tier
	suite, terminal := o.configuration()
	preview := ginkgo.PreviewSpecs(name, suite, terminal)
	if preview.SuiteHasProgrammaticFocus {
		return nil, errors.New("the suite has a focused case (FIt, FDescribe, Focus), which would hide the others: remove the focus")
	}
	chosen, err := o.Choose(listAll(preview))
	if err != nil {
		return nil, err
	}
	suite.LabelFilter = leave(&preview, chosen)

	if o.Chosen != nil {
		o.Chosen(ids(chosen))
	}
	if o.Prepare != nil {
		if err := o.Prepare(ctx); err != nil {
			return unprepared(o, preview, err)
		}
	}
	if ctx.Err() != nil {
		return unprepared(o, preview, fmt.Errorf("interrupted before the first case: %w", context.Cause(ctx)))
	}
	watched := &recorder{out: o.Out, verbose: o.Verbose, every: o.ProgressEvery, beside: o.Progress}
	watched.screen, _ = o.Out.(*screen.Screen)
	watched.register(ctx)
	ginkgo.RunSpecs(outsideOfGoTest{}, name, suite, terminal)
	return conclude(o, watched.finished())
}

// unprepared is the report of cases that were asked for and could not begin: it says so of each.
func unprepared(o Options, preview types.Report, cause error) (*report.ConformanceReport, error) {
	for i := range preview.SpecReports {
		preview.SpecReports[i].State = types.SpecStateSkipped // a preview says passed of what would run
	}
	result := report.FromGinkgo(preview, o.Tier, grade)
	for i := range result.Cases {
		if result.Cases[i].Verdict == suite.Errored {
			result.Cases[i].Message = cause.Error()
		}
	}
	result.Suite.Version, result.Suite.Commit = Version()
	if o.ReportDir == "" {
		return result, cause
	}
	return result, errors.Join(cause, write(o.ReportDir, result, preview))
}

func conclude(o Options, run types.Report) (*report.ConformanceReport, error) {
	result := report.FromGinkgo(run, o.Tier, grade)
	result.Suite.Version, result.Suite.Commit = Version()
	if o.Describe != nil {
		o.Describe(result)
	}
	report.Failures(o.Out, result, meaning)
	report.Skips(o.Out, result)
	report.Table(o.Out, result)
	if o.ReportDir == "" {
		return result, nil
	}
	if err := write(o.ReportDir, result, run); err != nil {
		return result, err
	}
	fmt.Fprintf(o.Out, "\nreport in %s\n", o.ReportDir)
	return result, nil
}

// write writes the report's files. The page comes last: it shows what the others have.
func write(dir string, result *report.ConformanceReport, run types.Report) error {
	if err := report.WriteDir(dir, result, run); err != nil {
		return err
	}
	calls, err := report.ReadCalls(dir)
	if err != nil {
		return err
	}
	return page.WriteDir(dir, []report.Run{{Report: result, Calls: calls}})
}

// grade looks a requirement up in the register.
func grade(id string) (level, grades string, ok bool) {
	found, ok := requirement.ByID(id)
	return string(found.Level), string(found.Grades), ok
}

// meaning returns what the register says of a requirement, with its source; "" for an id that it does not hold.
func meaning(id string) string {
	found, ok := requirement.ByID(id)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s (%s)", strings.TrimSuffix(found.Text, "."), found.Source)
}

// configuration is Ginkgo's for one quiet run in one process. Ginkgo shuffles the outermost containers, which are the
// areas, and leaves the order within them. Time is the context's to limit.
func (o Options) configuration() (types.SuiteConfig, types.ReporterConfig) {
	suite, terminal := ginkgo.GinkgoConfiguration()
	suite.LabelFilter = ""
	suite.RandomizeAllSpecs = o.Shuffle
	suite.RandomSeed = cmp.Or(o.Seed, suite.RandomSeed)
	suite.Timeout = 0
	return suite, terminal
}

// outsideOfGoTest stands where Ginkgo expects a *testing.T. What failed is in the report.
type outsideOfGoTest struct{}

func (outsideOfGoTest) Fail() {}
