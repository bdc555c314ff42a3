// SPDX-License-Identifier: Apache-2.0

package report

import (
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestMarkdownMatrix(t *testing.T) {
	of := func(cases ...Case) *ConformanceReport {
		return &ConformanceReport{Driver: Driver{Name: "csi.example.com"}, Cases: cases}
	}
	same := Case{ID: "same", Verdict: suite.Passed}
	chosen, left := Case{ID: "chosen", Verdict: suite.Passed}, Case{ID: "chosen", Verdict: suite.Skipped, DecidedBy: suite.ByFilter}
	var out strings.Builder
	err := MarkdownMatrix(&out, []Run{
		{Name: "1.34", Report: of(same, chosen, Case{ID: "differs", Verdict: suite.Passed}, Case{ID: "warns", Verdict: suite.Warned})},
		{Name: "1.35", Report: of(same, left, Case{ID: "differs", Verdict: suite.Skipped}, Case{ID: "warns", Verdict: suite.Warned}, Case{ID: "new", Verdict: suite.Passed})},
	})
	if err != nil {
		t.Fatal(err)
	}
	notable, all, _ := strings.Cut(out.String(), "<details>")
	for _, want := range []string{"### 2 runs of csi.example.com", "| differs | pass | skip |", "| warns | warn | warn |", "| new | - | pass |"} {
		if !strings.Contains(notable, want) {
			t.Errorf("want %q before all cases, found\n%s", want, notable)
		}
	}
	if strings.Contains(notable, "| chosen |") {
		t.Error("a case that a command line left out counts as one whose verdicts differ")
	}
	if strings.Contains(notable, "| same |") || !strings.Contains(all, "| same | pass | pass |") {
		t.Errorf("want a case that passed everywhere among all cases alone, found\n%s", out.String())
	}
}

func TestMarkdownMatrixOfRunsAlike(t *testing.T) {
	r := &ConformanceReport{Cases: []Case{{ID: "same", Verdict: suite.Passed}}}
	var out strings.Builder
	if err := MarkdownMatrix(&out, []Run{{Name: "a", Report: r}, {Name: "b", Report: r}}); err != nil || !strings.Contains(out.String(), "No case failed, warned") {
		t.Errorf("got %v\n%s", err, out.String())
	}
	if err := MarkdownMatrix(&out, nil); err == nil {
		t.Error("no report at all was printed")
	}
}

func TestMarkdownMatrixNamesEachDriver(t *testing.T) {
	of := func(driver string) *ConformanceReport {
		return &ConformanceReport{Driver: Driver{Name: driver}, Cases: []Case{{ID: "same", Verdict: suite.Passed}}}
	}
	var out strings.Builder
	if err := MarkdownMatrix(&out, []Run{{Name: "a", Report: of("a.example.com")}, {Name: "b", Report: of("b.example.com")}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"### 2 runs of a.example.com and b.example.com", "| a of a.example.com |", "| case | a of a.example.com | b of b.example.com |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("want %q, got:\n%s", want, out.String())
		}
	}
}
