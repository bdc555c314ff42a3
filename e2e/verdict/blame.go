package verdict

import (
	"slices"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
)

// blame are the requirements that a warning or a failure is about.
type blame []string

// Blame says which of the case's requirements its warning or failure is about: it then says nothing of the others. A case
// that blames none is about all of its requirements.
func Blame(requirements ...string) {
	ginkgo.AddReportEntry("blame", blame(requirements), types.ReportEntryVisibilityNever, ginkgo.Offset(1))
}

// Blamed returns the requirements that a finished case blames, each once, in the order of their names.
func Blamed(spec types.SpecReport) []string {
	var found []string
	for _, entry := range spec.ReportEntries {
		if blamed, ok := entry.GetRawValue().(blame); ok {
			found = append(found, blamed...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
