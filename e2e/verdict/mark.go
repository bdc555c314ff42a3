package verdict

import (
	"fmt"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
)

// Mark is the value of the report entry by which a case says how it ends, or that it goes on with a warning.
type Mark struct {
	Verdict   Verdict   `json:"verdict"`
	DecidedBy DecidedBy `json:"decidedBy,omitempty"`
	Message   string    `json:"message"`
}

// Warn records that an answer contradicted a SHOULD; the case goes on. Its verdict is warn unless it then fails or
// ends in an error.
func Warn(format string, args ...any) {
	add(Mark{Verdict: Warning, Message: fmt.Sprintf(format, args...)})
}

// Reduced records that the environment let the case show less than it does in full; the case goes on. A pass keeps the
// reason.
func Reduced(format string, args ...any) {
	add(Mark{Verdict: Pass, DecidedBy: ByEnvironment, Message: fmt.Sprintf(format, args...)})
}

// CouldNotTell ends the case with the verdict error: the harness found no evidence either way. The message says what
// was wanted and what stood in the way.
func CouldNotTell(format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	add(Mark{Verdict: Error, Message: message})
	ginkgo.Fail(message, 1)
}

// Skip ends the case as not exercised, says who decided so, and why.
func Skip(by DecidedBy, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	add(Mark{Verdict: Skipped, DecidedBy: by, Message: message})
	ginkgo.Skip(message, 1)
}

func add(m Mark) {
	ginkgo.AddReportEntry("verdict: "+string(m.Verdict), m, types.ReportEntryVisibilityNever, ginkgo.Offset(2))
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
