// SPDX-License-Identifier: Apache-2.0

package report

import (
	"strings"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// forJUnit is the run with each case in the Ginkgo state that JUnit shows as its verdict: Ginkgo knows one kind of
// failed assertion, and JUnit tells <failure> from <error>. What cases saw is in the other files. The report's cases
// are the run's, in the order of Ordered.
func forJUnit(r *ConformanceReport, run types.Report) types.Report {
	run.SpecReports = Ordered(run)
	for i := range run.SpecReports {
		spec, c := &run.SpecReports[i], r.Cases[i]
		spec.Failure.Location = types.CodeLocation{FileName: belowModule(spec.Failure.Location.FileName), LineNumber: spec.Failure.Location.LineNumber}
		switch c.Verdict {
		case suite.Failed:
			spec.Failure.Message = c.Message
		case suite.Errored:
			if spec.State != types.SpecStatePanicked {
				spec.State = types.SpecStateInterrupted
			}
			spec.Failure.Message = strings.TrimSpace(c.Reason + ": " + c.Message)
		case suite.Skipped:
			spec.State = types.SpecStateSkipped
			spec.Failure.Message = string(c.DecidedBy) + ": " + c.Reason
		case suite.Warned:
			spec.State = types.SpecStatePassed
		}
		spec.ReportEntries = nil
	}
	return run
}
