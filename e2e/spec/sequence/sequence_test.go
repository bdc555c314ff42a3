// SPDX-License-Identifier: Apache-2.0

package sequence_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/sequence"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/sequence"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestTheReferenceDriverPasses(t *testing.T) {
	spectest.ExpectPasses(t, sequence.Areas())
}

// generated has the case of generated requests alone.
func generated() []harness.Area { return sequence.Areas()[:1] }

// TestConditionalFaultsAreFound shows that a driver which is wrong only where two conditions come together is found, whatever
// the seed.
func TestConditionalFaultsAreFound(t *testing.T) {
	spectest.Expect(t, sequence.Areas()[1:], wrong.Conditional())
}

func TestDriversThatLackSomethingPass(t *testing.T) {
	spectest.Expect(t, generated(), wrong.Lacking())
}

// shortest is how a message says how many steps the shortest sequence has.
var shortest = regexp.MustCompile(`(?m)^(\d+) steps? shows? it(?:, and all of them are needed)?, when`)

// TestTheShortestSequenceIsShown expects of each of the wrong drivers that the case fails by one of the clauses, and that
// one of the failures is shown by few steps.
func TestTheShortestSequenceIsShown(t *testing.T) {
	drivers := mutation.Drivers(wrong.Drivers())
	for name, want := range wrong.Sequences() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := only(t, spectest.Run(t, generated(), drivers[name]))
			expected := func(clause string) bool { return slices.Contains(strings.Fields(want.Clauses), clause) }
			if c.Verdict != suite.Failed || !slices.ContainsFunc(c.Blamed, expected) {
				t.Fatalf("%s about %q %s\n%s", c.Verdict, c.Blamed, c.Reason, c.Message)
			}
			fewest := 0
			for _, shown := range shortest.FindAllStringSubmatch(c.Message, -1) {
				if steps, err := strconv.Atoi(shown[1]); err == nil && (fewest == 0 || steps < fewest) {
					fewest = steps
				}
			}
			if fewest > want.Steps || fewest == 0 && want.Steps > 0 {
				t.Errorf("%d steps show it, want %d or fewer\n%s", fewest, want.Steps, c.Message)
			}
		})
	}
}

// only is the one case.
func only(t *testing.T, result *report.ConformanceReport) report.Case {
	t.Helper()
	if len(result.Cases) != 1 {
		t.Fatalf("there are %d cases, want one", len(result.Cases))
	}
	return result.Cases[0]
}

// TestTheCaseGoesOnAfterAFailure has a driver with two faults that have nothing to do with each other.
func TestTheCaseGoesOnAfterAFailure(t *testing.T) {
	spectest.Expect(t, generated(), wrong.Twice())
}

// TestATopologyThatIsNotClaimedMeansNothing shows that the topologies of a driver which does not claim to have any are not held
// against what no node reports: topology_only_where_claimed judges them.
func TestATopologyThatIsNotClaimedMeansNothing(t *testing.T) {
	spectest.Expect(t, generated(), map[string]mutation.Expectation{
		"topologies that are not claimed": mutation.Wrong(mutation.Unclaimed(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS),
			mutation.Passes("generated_sequence")),
	})
}
