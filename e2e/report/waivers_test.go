// SPDX-License-Identifier: Apache-2.0

package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// waivedRun returns a run with one case that is waived, one that fails nevertheless, and a waiver that is no
// longer needed.
func waivedRun() Finished {
	known, old := suite.Waiver{Requirement: "TR-01", Reason: "one zone"}, suite.Waiver{Case: "T-3", Reason: "no room"}
	aside := []suite.SetAside{{Waiver: known, Clauses: []string{"TR-01"}, Message: "got Z3"}}
	of := func(id string, r suite.Result) suite.Result {
		r.Listed = suite.NewListed(id, "placement", "chooses a zone", []string{"req:TR-01", "req:TR-02"})
		return r
	}
	return Finished{Tier: "spec", Waivers: []suite.Waiver{known, old}, Results: []suite.Result{
		of("T-1", suite.Result{Verdict: suite.Skipped, DecidedBy: suite.ByWaiver, Reason: "TR-01: one zone", Waived: aside}),
		of("T-2", suite.Result{Verdict: suite.Failed, Blamed: []string{"TR-02"}, Message: "got Z4", Waived: aside}),
		of("T-3", suite.Result{Verdict: suite.Passed}),
	}}
}

func TestWaiversInAReport(t *testing.T) {
	r := FromResults(waivedRun(), levels)
	want := []Waiver{
		{Waiver: suite.Waiver{Requirement: "TR-01", Reason: "one zone"}, Cases: []string{"T-1", "T-2"}},
		{Waiver: suite.Waiver{Case: "T-3", Reason: "no room"}, Cases: []string{}, NotNeeded: true},
	}
	if diff := cmp.Diff(want, r.Waivers); diff != "" {
		t.Errorf("waivers (-want +got):\n%s", diff)
	}
	if r.Summary.Skip != 1 || r.Summary.Waived != 1 {
		t.Errorf("want one case counted as skipped and as waived, got %+v", r.Summary)
	}
	if ExitCode(r) != ExitFailed {
		t.Error("want what is not waived to fail the run")
	}
}

func TestWaiversAreShown(t *testing.T) {
	r := FromResults(waivedRun(), levels)
	var terminal, markdown strings.Builder
	Waivers(&terminal, r)
	if err := Markdown(&markdown, r, nothing); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"waived: 1 of the skipped", "T-2, which contradicts something else too: TR-01: one zone", "no longer needed", "T-3"} {
		if !strings.Contains(terminal.String(), want) {
			t.Errorf("want %q on the terminal, got:\n%s", want, terminal.String())
		}
	}
	for _, want := range []string{"1 skip (1 of them waived)", "no longer needed: T-3"} {
		if !strings.Contains(markdown.String(), want) {
			t.Errorf("want %q in Markdown, got:\n%s", want, markdown.String())
		}
	}
	terminal.Reset()
	Waivers(&terminal, FromResults(Finished{}, levels))
	if terminal.Len() > 0 {
		t.Errorf("want nothing without waivers, got:\n%s", terminal.String())
	}
}
