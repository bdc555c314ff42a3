// SPDX-License-Identifier: Apache-2.0

package verdict

import (
	"fmt"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Warn records that an answer contradicted a SHOULD; the case goes on. Its verdict is warn unless it then fails or
// ends in an error.
func Warn(format string, args ...any) {
	Add(suite.Mark{Verdict: suite.Warned, Message: fmt.Sprintf(format, args...)})
}

// CouldNotTell ends the case with the verdict error: the harness found no evidence either way. The message says what
// was wanted and what stood in the way.
func CouldNotTell(format string, args ...any) {
	End(suite.Mark{Verdict: suite.Errored, Message: fmt.Sprintf(format, args...)})
}

// Skip ends the case as not exercised, says who decided so, and why.
func Skip(by suite.DecidedBy, format string, args ...any) {
	End(suite.Mark{Verdict: suite.Skipped, DecidedBy: by, Message: fmt.Sprintf(format, args...)})
}

// LeaveOut ends the case as one that was asked for and did not run, and says why.
func LeaveOut(format string, args ...any) {
	End(suite.Mark{Verdict: suite.Errored, NotRun: true, Message: fmt.Sprintf(format, args...)})
}

// Add adds a mark to the case that Ginkgo runs now; the case goes on.
func Add(m suite.Mark) {
	ginkgo.AddReportEntry("verdict: "+string(m.Verdict), m, types.ReportEntryVisibilityNever, ginkgo.Offset(2))
}

// End adds the mark and ends the case that Ginkgo runs now by it: a skip, or else a failure, of which Judge tells by the
// mark whether it is the driver's.
func End(m suite.Mark) {
	Add(m)
	const caller = 2
	if m.Verdict == suite.Skipped || m.NotRun {
		ginkgo.Skip(m.Message, caller)
		return
	}
	ginkgo.Fail(m.Message, caller)
}

// marks returns the marks among a case's report entries, oldest first.
func marks(spec types.SpecReport) []suite.Mark {
	var found []suite.Mark
	for _, entry := range spec.ReportEntries {
		if m, ok := entry.GetRawValue().(suite.Mark); ok {
			found = append(found, m)
		}
	}
	return found
}
