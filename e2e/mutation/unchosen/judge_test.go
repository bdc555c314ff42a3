// SPDX-License-Identifier: Apache-2.0

package unchosen

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestJudge(t *testing.T) {
	fails := func(id string, clauses ...string) report.Case {
		return report.Case{ID: id, Verdict: suite.Failed, Blamed: clauses}
	}
	for _, c := range []struct {
		name  string
		cases []report.Case
		but   map[string]string
		want  Finding
	}{
		{"nothing", []report.Case{{ID: "a", Verdict: suite.Passed}, {ID: "b", Verdict: suite.Skipped}}, nil, Finding{Outcome: Survived}},
		{"a failure by a clause", []report.Case{fails("a", "TR-04")}, nil, Finding{Outcome: Killed, By: "a", Clause: "TR-04"}},
		{"a warning by a clause", []report.Case{{ID: "a", Verdict: suite.Warned, Blamed: []string{"PF-05"}}}, nil, Finding{Outcome: Killed, By: "a", Clause: "PF-05"}},
		{"a failure without a clause", []report.Case{fails("a")}, nil, Finding{Outcome: Noticed, By: "a: fail"}},
		{"a case that cannot tell", []report.Case{{ID: "a", Verdict: suite.Errored}}, nil, Finding{Outcome: Noticed, By: "a: error"}},
		{"an error before a failure", []report.Case{{ID: "a", Verdict: suite.Errored}, fails("b", "TR-04")}, nil, Finding{Outcome: Killed, By: "b", Clause: "TR-04"}},
		{"a call that was not answered", []report.Case{fails("a", "GEN-08")}, nil, Finding{Outcome: Noticed, By: "a: fail GEN-08"}},
		{"a call that was not answered, and more", []report.Case{fails("a", "GEN-08", "TR-04")}, nil, Finding{Outcome: Killed, By: "a", Clause: "TR-04"}},
		{"what the right driver gets, too", []report.Case{fails("a", "TR-04")}, map[string]string{"a": "fail TR-04"}, Finding{Outcome: Survived}},
		{"not what the right driver gets", []report.Case{fails("a", "TR-05")}, map[string]string{"a": "fail TR-04"}, Finding{Outcome: Killed, By: "a", Clause: "TR-05"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Judge(c.cases, c.but); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
