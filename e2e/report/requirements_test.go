// SPDX-License-Identifier: Apache-2.0

package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

func TestRequirementsOf(t *testing.T) {
	skipped := func(by verdict.DecidedBy) Case { return Case{Verdict: verdict.Skipped, DecidedBy: by} }
	ended := func(v verdict.Verdict) Case { return Case{Verdict: v} }
	blaming := func(v verdict.Verdict, id string) Case { return Case{Verdict: v, Blamed: []string{id}} }
	for _, test := range []struct {
		name  string
		given []Case
		want  verdict.Verdict
	}{
		{name: "all passed", given: []Case{ended(verdict.Pass), ended(verdict.Pass)}, want: verdict.Pass},
		{name: "one failed", given: []Case{ended(verdict.Error), ended(verdict.Fail), ended(verdict.Pass)}, want: verdict.Fail},
		{name: "one could not tell", given: []Case{ended(verdict.Pass), ended(verdict.Error), ended(verdict.Warning)}, want: verdict.Error},
		{name: "one warned", given: []Case{ended(verdict.Pass), ended(verdict.Warning)}, want: verdict.Warning},
		{name: "one was left out", given: []Case{ended(verdict.Pass), skipped(verdict.ByFilter)}, want: verdict.Pass},
		{name: "one failed and blames it", given: []Case{blaming(verdict.Fail, "TR-01"), ended(verdict.Pass)}, want: verdict.Fail},
		{name: "one failed and blames another", given: []Case{blaming(verdict.Fail, "TR-02"), ended(verdict.Pass)}, want: verdict.Pass},
		{name: "only one that blames another", given: []Case{blaming(verdict.Warning, "TR-02")}, want: NotExercised},
		{name: "the driver does not claim it", given: []Case{skipped(verdict.ByCapability)}, want: verdict.Skipped},
		{name: "the vendor waived it", given: []Case{skipped(verdict.ByWaiver), skipped(verdict.ByCapability)}, want: verdict.Skipped},
		{name: "the profile declares it away", given: []Case{skipped(verdict.ByProfile)}, want: NotExercised},
		{name: "too few zones", given: []Case{skipped(verdict.ByEnvironment)}, want: NotExercised},
		{name: "not asked for", given: []Case{skipped(verdict.ByCapability), skipped(verdict.ByFilter)}, want: NotExercised},
	} {
		t.Run(test.name, func(t *testing.T) {
			for i := range test.given {
				test.given[i].ID, test.given[i].Requirements = "T-1", []string{"TR-01"}
			}
			want := []Requirement{{ID: "TR-01", Level: "MUST", Grades: "vendor", Verdict: test.want, Cases: []string{"T-1"}}}
			if diff := cmp.Diff(want, requirementsOf(test.given, levels)); diff != "" {
				t.Errorf("requirements (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRequirementsAreOrderedById(t *testing.T) {
	got := requirementsOf([]Case{{ID: "T-1", Requirements: []string{"TR-09", "TR-01"}}, {ID: "T-2", Requirements: []string{"TR-01"}}}, levels)
	want := []Requirement{
		{ID: "TR-01", Level: "MUST", Grades: "vendor", Cases: []string{"T-1", "T-2"}, Verdict: NotExercised},
		{ID: "TR-09", Level: "MUST", Grades: "vendor", Cases: []string{"T-1"}, Verdict: NotExercised},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requirements (-want +got):\n%s", diff)
	}
}
