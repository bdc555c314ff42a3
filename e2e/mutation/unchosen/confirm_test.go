// SPDX-License-Identifier: Apache-2.0

package unchosen

import (
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func says(id string, said suite.Verdict, clauses ...string) report.Case {
	return report.Case{ID: id, Verdict: said, Blamed: clauses}
}

func TestConfirmed(t *testing.T) {
	fails, passes := []report.Case{says("a", suite.Failed, "GEN-08")}, []report.Case{says("a", suite.Passed)}
	for _, c := range []struct {
		name     string
		changed  []report.Case
		controls [][]report.Case
		want     bool
	}{
		{"it fails again, and every control passes", fails, [][]report.Case{passes, passes}, true},
		{"it passes now", passes, [][]report.Case{passes}, false},
		{"a control fails too", fails, [][]report.Case{passes, fails}, false},
		{"a control was skipped", fails, [][]report.Case{{says("a", suite.Skipped)}}, false},
		{"a control did not run the case", fails, [][]report.Case{nil}, false},
		{"there is no control", fails, nil, false},
		{"only a warning", []report.Case{says("a", suite.Warned, "GEN-08")}, [][]report.Case{passes}, false},
		{"another clause", []report.Case{says("a", suite.Failed, "TR-04")}, [][]report.Case{passes}, false},
		{"another case", []report.Case{says("b", suite.Failed, "GEN-08")}, [][]report.Case{passes}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Confirmed("a", c.changed, c.controls); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestSilent(t *testing.T) {
	cases := []report.Case{
		says("a", suite.Failed, "GEN-08"), says("b", suite.Warned, "GEN-08"), says("c", suite.Failed, "TR-04"), says("d", suite.Failed, "GEN-08"), says("e", suite.Errored),
	}
	if got := Silent(cases, map[string]string{"d": "fail GEN-08"}); !slices.Equal(got, []string{"a"}) {
		t.Errorf("got %v, want the case that fails by GEN-08 and passes otherwise", got)
	}
}

// A driver that forgot its volumes contradicts what it would not have otherwise.
func TestAfterAnEnd(t *testing.T) {
	given := says("a", suite.Failed, "NS-05", "GEN-08")
	if got := AfterAnEnd(given); !slices.Equal(got.Blamed, []string{"GEN-08"}) || got.Verdict != suite.Failed {
		t.Errorf("got %+v", got)
	}
	if !slices.Equal(given.Blamed, []string{"NS-05", "GEN-08"}) {
		t.Errorf("the case itself was changed: %+v", given)
	}
	if got := Judge([]report.Case{AfterAnEnd(says("a", suite.Failed, "NS-05"))}, nil); got.Outcome != Noticed {
		t.Errorf("got %+v, want no kill", got)
	}
}
