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

// generated selects only the case of generated requests.
func generated() []harness.Area { return sequence.Areas()[:1] }

// TestConditionalFaultsAreFound checks that drivers that are wrong only under two conditions together are found with every
// seed.
func TestConditionalFaultsAreFound(t *testing.T) {
	spectest.Expect(t, sequence.Areas()[1:], wrong.Conditional())
}

func TestDriversThatLackSomethingPass(t *testing.T) {
	spectest.Expect(t, generated(), wrong.Lacking())
}

// shortest matches the number of steps of the shortest sequence in a message.
var shortest = regexp.MustCompile(`(?m)^(\d+) steps? shows? it(?:, and all of them are needed)?, when`)

// TestTheShortestSequenceIsShown checks that the case fails for each of the wrong drivers by one of the clauses, and that
// one of the failures is shown with few steps.
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

// only selects the one case.
func only(t *testing.T, result *report.ConformanceReport) report.Case {
	t.Helper()
	if len(result.Cases) != 1 {
		t.Fatalf("there are %d cases, want one", len(result.Cases))
	}
	return result.Cases[0]
}

// TestEverySituationIsMet checks that plans of the usual length with three seeds each lead into all of the situations.
func TestEverySituationIsMet(t *testing.T) {
	for seed := range int64(3) {
		t.Run(strconv.FormatInt(seed, 10), func(t *testing.T) {
			t.Parallel()
			c := only(t, spectest.Run(t, generated(), mutation.Driver{Target: func(t *harness.Target) { t.Seed, t.Steps = seed, 500 }}))
			met := map[string]any{}
			for _, e := range c.Evidence {
				met[e.Name] = e.Value
			}
			if met["situations met, in steps"] == nil || met["situations not met"] != nil {
				t.Errorf("%s %s, with situations that were not met: %v", c.Verdict, c.Message, met["situations not met"])
			}
		})
	}
}

// TestTheCaseGoesOnAfterAFailure checks that the case finds both of two unrelated faults.
func TestTheCaseGoesOnAfterAFailure(t *testing.T) {
	spectest.Expect(t, generated(), wrong.Twice())
}

// TestATopologyThatIsNotClaimedMeansNothing checks that the topologies of a driver that does not claim to have any are
// not compared with the missing topology of nodes: topology_only_where_claimed judges them.
func TestATopologyThatIsNotClaimedMeansNothing(t *testing.T) {
	spectest.Expect(t, generated(), map[string]mutation.Expectation{
		"topologies that are not claimed": mutation.Wrong(mutation.Unclaimed(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS),
			mutation.Passes("generated_sequence")),
	})
}
