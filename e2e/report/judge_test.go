// SPDX-License-Identifier: Apache-2.0

package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// byName is a register whose ids begin with the level, or with K8S- for a MUST of the platform.
func byName(id string) (level, grades string, ok bool) {
	if strings.HasPrefix(id, "K8S-") {
		return "MUST", "platform", true
	}
	for _, level := range []string{"MUST", "SHOULD", "MAY"} {
		if len(id) > len(level) && id[:len(level)] == level {
			return level, "vendor", true
		}
	}
	return "", "", false
}

func TestAFailureContradictsAMust(t *testing.T) {
	failed := types.SpecReport{State: types.SpecStateFailed, Failure: types.Failure{Message: "no", FailureNodeType: types.NodeTypeIt}}
	for _, c := range []struct {
		name     string
		state    types.SpecState
		verifies []string
		blamed   []string
		want     suite.Verdict
	}{
		{name: "blames a MUST", verifies: []string{"MUST-1", "SHOULD-1"}, blamed: []string{"MUST-1"}, want: suite.Failed},
		{name: "blames a MUST and a SHOULD", verifies: []string{"MUST-1", "SHOULD-1"}, blamed: []string{"MUST-1", "SHOULD-1"}, want: suite.Failed},
		{name: "blames a SHOULD", verifies: []string{"MUST-1", "SHOULD-1"}, blamed: []string{"SHOULD-1"}, want: suite.Warned},
		{name: "blames a SHOULD and a MAY", verifies: []string{"MUST-1"}, blamed: []string{"SHOULD-1", "MAY-1"}, want: suite.Warned},
		{name: "blames none, and verifies a MUST", verifies: []string{"MUST-1", "SHOULD-1"}, want: suite.Failed},
		{name: "blames none, and verifies only a SHOULD", verifies: []string{"SHOULD-1"}, want: suite.Warned},
		{name: "blames the platform", verifies: []string{"MUST-1", "K8S-1"}, blamed: []string{"K8S-1"}, want: suite.Warned},
		{name: "blames none, and verifies what the platform does", verifies: []string{"K8S-1"}, want: suite.Warned},
		{name: "blames none, and verifies what both do", verifies: []string{"MUST-1", "K8S-1"}, want: suite.Failed},
		{name: "blames what the register does not hold", verifies: []string{"TR-01"}, blamed: []string{"TR-01"}, want: suite.Failed},
		{name: "verifies nothing of the register", want: suite.Failed},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := failed
			spec.LeafNodeLabels = verdict.Unregistered("T-1")
			if len(c.verifies) > 0 {
				spec.LeafNodeLabels = verdict.Case("T-1", c.verifies...)
			}
			if len(c.blamed) > 0 {
				spec.ReportEntries = append(spec.ReportEntries, types.ReportEntry{Value: types.WrapEntryValue(suite.Mark{Verdict: suite.Failed, Clauses: c.blamed})})
			}
			got := Judge(spec, byName)
			if got.Verdict != c.want {
				t.Errorf("want %s, got %+v", c.want, got)
			}
			r := FromGinkgo(types.Report{SpecReports: types.SpecReports{it(spec)}}, "spec", byName)
			if r.Cases[0].Verdict != c.want || (ExitCode(r) == ExitFailed) != (c.want == suite.Failed) {
				t.Errorf("want %s in the report and in the exit status, got %+v and %d", c.want, r.Cases[0], ExitCode(r))
			}
		})
	}
}

func it(spec types.SpecReport) types.SpecReport {
	spec.LeafNodeType = types.NodeTypeIt
	return spec
}

func TestVerdictsOfACasesRequirements(t *testing.T) {
	for _, c := range []struct {
		name  string
		given Case
		want  map[string]suite.Verdict
	}{
		{
			name:  "a failure that blames a MUST",
			given: Case{Verdict: suite.Failed, Requirements: []string{"MUST-1", "MUST-2", "SHOULD-1"}, Blamed: []string{"MUST-1"}},
			want:  map[string]suite.Verdict{"MUST-1": suite.Failed, "MUST-2": NotExercised, "SHOULD-1": NotExercised},
		},
		{
			name:  "a failure that blames a SHOULD as well",
			given: Case{Verdict: suite.Failed, Requirements: []string{"MUST-1", "SHOULD-1"}, Blamed: []string{"MUST-1", "SHOULD-1"}},
			want:  map[string]suite.Verdict{"MUST-1": suite.Failed, "SHOULD-1": suite.Warned},
		},
		{
			name:  "a failure that blames none",
			given: Case{Verdict: suite.Failed, Requirements: []string{"MUST-1", "SHOULD-1", "MAY-1"}},
			want:  map[string]suite.Verdict{"MUST-1": suite.Failed, "SHOULD-1": NotExercised, "MAY-1": NotExercised},
		},
		{
			name:  "a warning that blames one",
			given: Case{Verdict: suite.Warned, Requirements: []string{"MUST-1", "SHOULD-1", "SHOULD-2"}, Blamed: []string{"SHOULD-1"}},
			want:  map[string]suite.Verdict{"MUST-1": NotExercised, "SHOULD-1": suite.Warned, "SHOULD-2": NotExercised},
		},
		{
			name:  "a warning that blames none",
			given: Case{Verdict: suite.Warned, Requirements: []string{"MUST-1", "SHOULD-1"}},
			want:  map[string]suite.Verdict{"MUST-1": NotExercised, "SHOULD-1": suite.Warned},
		},
		{
			name:  "a warning that blames none, of a case of MUSTs",
			given: Case{Verdict: suite.Warned, Requirements: []string{"MUST-1"}},
			want:  map[string]suite.Verdict{"MUST-1": suite.Warned},
		},
		{
			name:  "an error",
			given: Case{Verdict: suite.Errored, Requirements: []string{"MUST-1", "SHOULD-1"}},
			want:  map[string]suite.Verdict{"MUST-1": suite.Errored, "SHOULD-1": suite.Errored},
		},
		{
			name:  "a pass",
			given: Case{Verdict: suite.Passed, Requirements: []string{"MUST-1", "MAY-1"}},
			want:  map[string]suite.Verdict{"MUST-1": suite.Passed, "MAY-1": suite.Passed},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := map[string]suite.Verdict{}
			for _, r := range requirementsOf([]Case{c.given}, byName) {
				got[r.ID] = r.Verdict
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("requirements (-want +got):\n%s", diff)
			}
		})
	}
}
