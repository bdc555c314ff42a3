// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Profiles prints the outcome of each conformance profile.
func Profiles(w io.Writer, r *ConformanceReport) {
	if len(r.Profiles) == 0 {
		return
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nPROFILE\tOUTCOME\tREQUIREMENTS")
	for _, p := range r.Profiles {
		fmt.Fprintf(table, "%s\t%s\t%s\n", p.Title(), p.Outcome, p.Detail())
	}
	table.Flush()
}

// Title returns the name of the profile, marked if it is the core.
func (p Profile) Title() string {
	if p.Core {
		return p.Name + " (core)"
	}
	return p.Name
}

// Detail returns the results of the profile's requirements: their numbers, and the ids of requirements that failed or are
// open.
func (p Profile) Detail() string {
	parts := []string{fmt.Sprintf("%d held", len(p.Held))}
	if len(p.Failed) > 0 {
		parts = append(parts, fmt.Sprintf("%d failed: %s", len(p.Failed), someOf(p.Failed)))
	}
	if len(p.Open) > 0 {
		parts = append(parts, fmt.Sprintf("%d open: %s", len(p.Open), someOf(p.Open)))
	}
	if len(p.NotClaimed) > 0 {
		parts = append(parts, fmt.Sprintf("%d not claimed", len(p.NotClaimed)))
	}
	return strings.Join(parts, "; ")
}

// someOf returns the first of the ids.
func someOf(ids []string) string {
	const most = 6
	if len(ids) > most {
		return strings.Join(ids[:most], ", ") + ", …"
	}
	return strings.Join(ids, ", ")
}

// Words returns the outcome in words.
func (o Outcome) Words() string { return strings.ReplaceAll(string(o), "-", " ") }

// Verdict returns the verdict of a case that has the same colour as the outcome.
func (o Outcome) Verdict() suite.Verdict {
	switch o {
	case Success:
		return suite.Passed
	case Partial:
		return suite.Warned
	case Failure:
		return suite.Failed
	default:
		return suite.Skipped
	}
}
