// SPDX-License-Identifier: Apache-2.0

package report

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestRequirementsOf(t *testing.T) {
	skipped := func(by suite.DecidedBy) Case { return Case{Verdict: suite.Skipped, DecidedBy: by} }
	ended := func(v suite.Verdict) Case { return Case{Verdict: v} }
	blaming := func(v suite.Verdict, id string) Case { return Case{Verdict: v, Blamed: []string{id}} }
	waived := func(c Case, id string) Case {
		c.Waived = []suite.SetAside{{Clauses: []string{id}}}
		return c
	}
	for _, test := range []struct {
		name  string
		given []Case
		want  suite.Verdict
	}{
		{name: "all passed", given: []Case{ended(suite.Passed), ended(suite.Passed)}, want: suite.Passed},
		{name: "one failed", given: []Case{ended(suite.Errored), ended(suite.Failed), ended(suite.Passed)}, want: suite.Failed},
		{name: "one could not tell", given: []Case{ended(suite.Passed), ended(suite.Errored), ended(suite.Warned)}, want: suite.Errored},
		{name: "one warned", given: []Case{ended(suite.Passed), ended(suite.Warned)}, want: suite.Warned},
		{name: "one was left out", given: []Case{ended(suite.Passed), skipped(suite.ByFilter)}, want: suite.Passed},
		{name: "one failed and blames it", given: []Case{blaming(suite.Failed, "TR-01"), ended(suite.Passed)}, want: suite.Failed},
		{name: "one failed and blames another", given: []Case{blaming(suite.Failed, "TR-02"), ended(suite.Passed)}, want: suite.Passed},
		{name: "only one that blames another", given: []Case{blaming(suite.Warned, "TR-02")}, want: NotExercised},
		{name: "the driver does not claim it", given: []Case{skipped(suite.ByCapability)}, want: suite.Skipped},
		{name: "the vendor waived it", given: []Case{skipped(suite.ByWaiver), skipped(suite.ByCapability)}, want: suite.Skipped},
		{name: "one contradicts it, and the vendor waives that", given: []Case{waived(skipped(suite.ByWaiver), "TR-01"), ended(suite.Passed)}, want: suite.Skipped},
		{name: "one fails by another, and contradicts it, which the vendor waives", given: []Case{waived(blaming(suite.Failed, "TR-02"), "TR-01")}, want: suite.Skipped},
		{name: "one contradicts another, which the vendor waives", given: []Case{waived(skipped(suite.ByWaiver), "TR-02")}, want: NotExercised},
		{name: "one contradicts another, which the vendor waives, and one holds", given: []Case{waived(skipped(suite.ByWaiver), "TR-02"), ended(suite.Passed)}, want: suite.Passed},
		{name: "one fails, and the vendor waives another", given: []Case{waived(blaming(suite.Failed, "TR-01"), "TR-02"), ended(suite.Passed)}, want: suite.Failed},
		{name: "the profile declares it away", given: []Case{skipped(suite.ByProfile)}, want: NotExercised},
		{name: "too few zones", given: []Case{skipped(suite.ByEnvironment)}, want: NotExercised},
		{name: "not asked for", given: []Case{skipped(suite.ByCapability), skipped(suite.ByFilter)}, want: NotExercised},
	} {
		t.Run(test.name, func(t *testing.T) {
			for i := range test.given {
				test.given[i].ID, test.given[i].Requirements = "T-1", []string{"TR-01"}
			}
			want := []Requirement{{ID: "TR-01", Level: "MUST", Grades: "vendor", Verdict: test.want, Cases: []string{"T-1"}}}
			got := slices.DeleteFunc(RequirementsOf(test.given, levels), func(r Requirement) bool { return r.ID != "TR-01" })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("requirements (-want +got):\n%s", diff)
			}
		})
	}
}

func TestARequirementThatNoCaseVerifiesIsBlamed(t *testing.T) {
	got := RequirementsOf([]Case{{ID: "T-1", Requirements: []string{"TR-01"}, Verdict: suite.Failed, Blamed: []string{"TR-02"}}}, levels)
	want := []Requirement{
		{ID: "TR-01", Level: "MUST", Grades: "vendor", Cases: []string{"T-1"}, Verdict: NotExercised},
		{ID: "TR-02", Level: "MUST", Grades: "vendor", Cases: []string{"T-1"}, Verdict: suite.Failed},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requirements (-want +got):\n%s", diff)
	}
}

func TestRequirementsAreOrderedById(t *testing.T) {
	got := RequirementsOf([]Case{{ID: "T-1", Requirements: []string{"TR-09", "TR-01"}}, {ID: "T-2", Requirements: []string{"TR-01"}}}, levels)
	want := []Requirement{
		{ID: "TR-01", Level: "MUST", Grades: "vendor", Cases: []string{"T-1", "T-2"}, Verdict: NotExercised},
		{ID: "TR-09", Level: "MUST", Grades: "vendor", Cases: []string{"T-1"}, Verdict: NotExercised},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requirements (-want +got):\n%s", diff)
	}
}
