// SPDX-License-Identifier: Apache-2.0

package whole_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/whole"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/spec/whole"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// alone is set when no case before these made the driver list or create anything.
var alone = []mutation.Case{mutation.Skips("run_leaves_others_alone", suite.ByCapability), mutation.Skips("run_still_works", suite.ByEnvironment)}

// TestTheCasesJudge checks that the cases pass the reference driver, and that each catches a wrong one: the same faults also
// show in other cases.
func TestTheCasesJudge(t *testing.T) {
	wanted := wrong.Drivers()
	caught := map[string]bool{}
	for _, expectation := range wanted {
		for _, c := range expectation.Cases {
			caught[c.IDs] = caught[c.IDs] || c.Verdict == suite.Failed || c.Verdict == suite.Warned
		}
	}
	for _, id := range spectest.ExpectPasses(t, whole.Areas(), alone...) {
		if !caught[id] {
			t.Errorf("case %s catches none of the drivers: add a wrong one that it catches to the package of the same name below e2e/mutation", id)
		}
	}
	spectest.Expect(t, spec.Areas(), wanted)
}
