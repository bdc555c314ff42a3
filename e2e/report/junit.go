package report

import (
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// forJUnit is the run with each case in the Ginkgo state that JUnit shows as its verdict: Ginkgo knows one kind of
// failed assertion, and JUnit tells <failure> from <error>. What cases saw is in the other files.
func forJUnit(run types.Report) types.Report {
	run.SpecReports = slices.DeleteFunc(slices.Clone(run.SpecReports), func(spec types.SpecReport) bool { return !isCase(spec) })
	for i := range run.SpecReports {
		spec := &run.SpecReports[i]
		switch judged := judge(run, *spec); judged.Verdict {
		case verdict.Error:
			if spec.State != types.SpecStatePanicked {
				spec.State = types.SpecStateInterrupted
			}
			spec.Failure.Message = strings.TrimSpace(judged.Reason + ": " + judged.Message)
		case verdict.Skipped:
			spec.State = types.SpecStateSkipped
			spec.Failure.Message = string(judged.DecidedBy) + ": " + judged.Reason
		case verdict.Warning:
			spec.State = types.SpecStatePassed
		}
		spec.ReportEntries = nil
	}
	return run
}
