package runner

import (
	"io"
	"testing"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// A third interrupt makes Ginkgo leave without a word.
func TestARunThatGinkgoDidNotConcludeIsAnError(t *testing.T) {
	r := &recorder{out: io.Discard}
	r.begin(types.Report{PreRunStats: types.PreRunStats{TotalSpecs: 2, SpecsThatWillRun: 2}})
	r.finishCase(types.SpecReport{LeafNodeType: types.NodeTypeIt, LeafNodeText: "passes", State: types.SpecStatePassed})
	got := report.FromGinkgo(r.finished(), "spec", nil)
	if got.Summary.Pass != 1 || report.ExitCode(got) != report.ExitError {
		t.Errorf("want the case that passed, and exit status 2, got %+v and %d", got.Summary, report.ExitCode(got))
	}
}
