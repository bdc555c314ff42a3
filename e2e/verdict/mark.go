// SPDX-License-Identifier: Apache-2.0

package verdict

import (
	"fmt"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
)

// Mark is the value of a report entry that says how a case ends, or that it goes on with a warning.
type Mark struct {
	Verdict   Verdict   `json:"verdict"`
	DecidedBy DecidedBy `json:"decidedBy,omitempty"`
	Message   string    `json:"message"`
	// Clauses are the requirements that a failure or a warning is about; without any it is about all of the case's.
	Clauses []string `json:"clauses,omitempty"`
	// NotRun says that the case was asked for and did not run, which is an error.
	NotRun bool `json:"notRun,omitempty"`
	// At is where the suite decided so, as file:line below the module; empty where Ginkgo knows.
	At string `json:"at,omitempty"`
}

// Warn records that an answer contradicted a SHOULD; the case goes on. Its verdict is warn unless it then fails or
// ends in an error.
func Warn(format string, args ...any) {
	Add(Mark{Verdict: Warning, Message: fmt.Sprintf(format, args...)})
}

// CouldNotTell ends the case with the verdict error: the harness found no evidence either way. The message says what
// was wanted and what stood in the way.
func CouldNotTell(format string, args ...any) {
	End(Mark{Verdict: Error, Message: fmt.Sprintf(format, args...)})
}

// Skip ends the case as not exercised, says who decided so, and why.
func Skip(by DecidedBy, format string, args ...any) {
	End(Mark{Verdict: Skipped, DecidedBy: by, Message: fmt.Sprintf(format, args...)})
}

// LeaveOut ends the case as one that was asked for and did not run, and says why.
func LeaveOut(format string, args ...any) {
	End(Mark{Verdict: Error, NotRun: true, Message: fmt.Sprintf(format, args...)})
}

// Add adds a mark to the case that Ginkgo runs now; the case goes on.
func Add(m Mark) {
	ginkgo.AddReportEntry("verdict: "+string(m.Verdict), m, types.ReportEntryVisibilityNever, ginkgo.Offset(2))
}

// End adds the mark and ends the case that Ginkgo runs now by it: a skip, or else a failure, of which Judge tells by the
// mark whether it is the driver's.
func End(m Mark) {
	Add(m)
	const caller = 2
	if m.Verdict == Skipped || m.NotRun {
		ginkgo.Skip(m.Message, caller)
		return
	}
	ginkgo.Fail(m.Message, caller)
}

// marks returns the marks among a case's report entries, oldest first.
func marks(spec types.SpecReport) []Mark {
	var found []Mark
	for _, entry := range spec.ReportEntries {
		if m, ok := entry.GetRawValue().(Mark); ok {
			found = append(found, m)
		}
	}
	return found
}
