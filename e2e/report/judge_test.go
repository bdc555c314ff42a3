// SPDX-License-Identifier: Apache-2.0

package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// byName is a lookup in a register where an id begins with its level, or with K8S- for a MUST of the platform.
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
			for _, r := range RequirementsOf([]Case{c.given}, byName) {
				got[r.ID] = r.Verdict
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("requirements (-want +got):\n%s", diff)
			}
		})
	}
}
