// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Skips prints the reasons why selected cases were skipped, by the party that decided it: each reason once, with the number
// of its cases.
func Skips(w io.Writer, r *ConformanceReport) {
	for _, decided := range []struct {
		by  suite.DecidedBy
		why string
	}{
		{suite.ByCapability, "because of what the driver claims"},
		{suite.ByProfile, "because of the profile"},
		{suite.ByWaiver, "because the profile waives all that they found"},
		{suite.ByEnvironment, "for other reasons"},
	} {
		reasons := reasonsOf(r, decided.by)
		if len(reasons) == 0 {
			continue
		}
		fmt.Fprintf(w, "\nSKIP %s\n", decided.why)
		for _, reason := range reasons {
			fmt.Fprintf(w, "%6d  %s\n", reason.cases, reason.text)
		}
	}
}

// reason is a reason why cases were skipped.
type reason struct {
	text  string
	cases int
}

// reasonsOf returns the reasons that the party gave for skipped cases, the most frequent first.
func reasonsOf(r *ConformanceReport, by suite.DecidedBy) []reason {
	var found []reason
	known := map[string]int{}
	for _, c := range r.Cases {
		if c.Verdict != suite.Skipped || c.DecidedBy != by {
			continue
		}
		cause := normalized(c.Reason, namesOf(r))
		i, again := known[cause]
		if !again {
			i = len(found)
			known[cause] = i
			found = append(found, reason{text: c.Reason})
		}
		found[i].cases++
	}
	slices.SortStableFunc(found, func(a, b reason) int { return cmp.Compare(b.cases, a.cases) })
	return found
}
