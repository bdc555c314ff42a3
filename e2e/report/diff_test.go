// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestDiff(t *testing.T) {
	of := func(cases ...Case) Run { return Run{Report: &ConformanceReport{Cases: cases}} }
	older := of(
		Case{ID: "same", Verdict: suite.Failed}, Case{ID: "broken", Verdict: suite.Passed}, Case{ID: "mended", Verdict: suite.Errored},
		Case{ID: "gone", Verdict: suite.Passed}, Case{ID: "left out", Verdict: suite.Skipped, DecidedBy: suite.ByFilter},
	)
	newer := of(
		Case{ID: "new", Verdict: suite.Passed}, Case{ID: "same", Verdict: suite.Failed}, Case{ID: "mended", Verdict: suite.Passed},
		Case{ID: "broken", Verdict: suite.Failed},
	)
	d := Diff(older, newer)
	var lines []string
	for _, c := range d.Cases {
		lines = append(lines, fmt.Sprintf("%s: %q, was %q", c.ID, c.New, c.Old))
	}
	want := "broken: \"fail\", was \"pass\"\nmended: \"pass\", was \"error\"\nnew: \"pass\", was \"\"\ngone: \"\", was \"pass\""
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if !d.Worse() || Diff(newer, newer).Worse() {
		t.Error("want a case that fails now to be worse, and one that failed before not")
	}
}
