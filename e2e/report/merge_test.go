// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// TestMergedReportsHaveTheirOwnCalls merges reports twice, and checks that each case still has its own calls.
func TestMergedReportsHaveTheirOwnCalls(t *testing.T) {
	run := func(name string, cases int) Run {
		r := &ConformanceReport{APIVersion: APIVersion, Kind: Kind}
		made := Run{Name: name, Report: r}
		for i := range cases {
			c := Case{ID: fmt.Sprintf("T-%d", i), Verdict: suite.Passed, Calls: &Lines{First: 2*i + 1, Last: 2*i + 2}}
			r.Cases = append(r.Cases, c)
			for range 2 {
				made.Calls = append(made.Calls, json.RawMessage(fmt.Sprintf("%q", name+" "+c.ID)))
			}
		}
		return made
	}
	first, second := t.TempDir(), t.TempDir()
	if err := Merge(first, []Run{run("a", 2), run("none", 0), run("b", 3)}); err != nil {
		t.Fatal(err)
	}
	runs, err := ReadRuns(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := Merge(second, append([]Run{run("c", 1)}, runs...)); err != nil {
		t.Fatal(err)
	}
	if runs, err = ReadRuns(second); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, run := range runs {
		for _, c := range run.Report.Cases {
			seen++
			for line := c.Calls.First; line <= c.Calls.Last; line++ {
				if got, want := string(run.Calls[line-1]), fmt.Sprintf("%q", run.Name+" "+c.ID); got != want {
					t.Errorf("call %d of %s in run %s is %s", line, c.ID, run.Name, got)
				}
			}
		}
	}
	if len(runs) != 4 || seen != 6 {
		t.Errorf("%d runs with %d cases were read, want 4 with 6", len(runs), seen)
	}
}
