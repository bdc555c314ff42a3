package verdict

import (
	"slices"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
)

// Blaming is the value of the report entry by which a case says what its failure, or its warning, is about.
type Blaming struct {
	Verdict      Verdict
	Requirements []string
}

// Blame says which of the case's requirements its failure, or its warning, is about, should the case end with that
// verdict: it then says nothing of the others. A case that blames none is about all of its requirements.
func Blame(v Verdict, requirements ...string) {
	ginkgo.AddReportEntry("blame", Blaming{v, requirements}, types.ReportEntryVisibilityNever, ginkgo.Offset(1))
}

// Blamed returns the requirements that a case which ended with the verdict blames, each once, in the order of their names.
func Blamed(spec types.SpecReport, v Verdict) []string {
	var found []string
	for _, entry := range spec.ReportEntries {
		if blamed, ok := entry.GetRawValue().(Blaming); ok && blamed.Verdict == v {
			found = append(found, blamed.Requirements...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
