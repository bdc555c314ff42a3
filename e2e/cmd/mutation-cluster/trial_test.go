// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestWhatCatchesATrial(t *testing.T) {
	wrong := trial{clauses: []string{"TR-07", "TR-11"}, cases: []string{"placed"}}
	for _, c := range []struct {
		name  string
		given trial
		said  report.Case
		want  bool
	}{
		{"fails by the clause", wrong, report.Case{Verdict: suite.Failed, Blamed: []string{"TR-11"}}, true},
		{"warns by the clause", wrong, report.Case{Verdict: suite.Warned, Blamed: []string{"TR-07"}}, true},
		{"fails, blames one of its clauses and another", wrong, report.Case{Verdict: suite.Failed, Requirements: []string{"PC-03", "TR-07"}, Blamed: []string{"PC-03", "TR-07"}}, true},
		{"fails, and verifies the clause alone", wrong, report.Case{Verdict: suite.Failed, Requirements: []string{"TR-07"}}, true},
		{"fails, and verifies none but its clauses", wrong, report.Case{Verdict: suite.Failed, Requirements: []string{"TR-11", "TR-07"}}, true},
		{"fails by whichever of its clause and another", wrong, report.Case{Verdict: suite.Failed, Requirements: []string{"PC-03", "TR-07"}}, false},
		{"warns by whichever of its clause and another", wrong, report.Case{Verdict: suite.Warned, Requirements: []string{"TR-07", "PC-03"}}, false},
		{"fails, and verifies nothing", wrong, report.Case{Verdict: suite.Failed}, false},
		{"fails by another clause, though it verifies this one", wrong, report.Case{Verdict: suite.Failed, Requirements: []string{"TR-07"}, Blamed: []string{"PC-03"}}, false},
		{"fails, and verifies another clause", wrong, report.Case{Verdict: suite.Failed, Requirements: []string{"PC-03"}}, false},
		{"cannot tell", wrong, report.Case{Verdict: suite.Errored, Requirements: []string{"TR-07"}}, false},
		{"passes", wrong, report.Case{Verdict: suite.Passed, Requirements: []string{"TR-07"}}, false},
		{"fails where nothing is wrong", trial{right: true}, report.Case{Verdict: suite.Failed}, true},
		{"cannot tell where nothing is wrong", trial{right: true}, report.Case{Verdict: suite.Errored}, true},
		{"warns where nothing is wrong", trial{right: true}, report.Case{Verdict: suite.Warned}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.said.ID = "placed"
			if got := c.given.caughtBy([]report.Case{c.said}); (len(got) > 0) != c.want {
				t.Errorf("got %q, want caught: %v", got, c.want)
			}
			if got := c.given.missed([]report.Case{c.said}); !c.given.right && (len(got) == 0) != c.want {
				t.Errorf("got %q, want missed: %v", got, !c.want)
			}
		})
	}
	if got := wrong.missed(nil); len(got) != 1 || !strings.Contains(got[0], "did not run") {
		t.Errorf("got %q, want that the case did not run", got)
	}
}

func TestTrialsHaveIdsOfTheirOwn(t *testing.T) {
	var ids []string
	for _, one := range (&options{}).trials() {
		if slices.Contains(ids, one.id) {
			t.Errorf("two have the id %s", one.id)
		}
		ids = append(ids, one.id)
		if !one.right && len(one.clauses) == 0 {
			t.Errorf("%s contradicts no clause", one.id)
		}
	}
}

func TestSpecsThatFail(t *testing.T) {
	const skipped = `{"LeafNodeType": "It", "State": "skipped", "LeafNodeText": "is left out"}`
	for _, c := range []struct{ name, specs, want, problem string }{
		{"one fails", `{"LeafNodeType": "It", "State": "passed", "LeafNodeText": "runs"}, ` + skipped + `,
			{"LeafNodeType": "It", "State": "failed", "LeafNodeText": "schedules", "ContainerHierarchyTexts": ["External Storage", "[Testpattern: Dynamic PV] topology"]}`,
			"Dynamic PV] topology schedules", ""},
		{"none fails", `{"LeafNodeType": "It", "State": "passed", "LeafNodeText": "runs"}`, "", ""},
		{"none ran", skipped, "", "no spec"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "kubernetes.json")
			if err := os.WriteFile(file, []byte(`[{"SpecReports": [`+c.specs+`]}]`), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := failedSpecs(file)
			if c.problem != "" {
				if err == nil || !strings.Contains(err.Error(), c.problem) {
					t.Errorf("got %v, want an error with %q", err, c.problem)
				}
				return
			}
			if err != nil || strings.Join(got, " ") != c.want {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}
