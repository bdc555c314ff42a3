// SPDX-License-Identifier: Apache-2.0

package comparison

import (
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// profile is what became of a conformance profile.
type profile struct {
	ID, Title string
	// Outcome is empty if no case on the profile was selected.
	Outcome, Class string
	Detail         string
	Rows           []clause
}

// clause is a requirement of a profile that did not hold, with its cases.
type clause struct {
	ID string
	// Mark is what became of it, and Class its colour.
	Mark, Class string
	Cases       []caseRef
}

// caseRef names a case. Finding is the anchor of what it found, and Why is for a case without a finding.
type caseRef struct {
	ID, Finding, Why string
}

// profilesOf returns all profiles, in their order.
func profilesOf(r *report.ConformanceReport, anchor func(...string) string, found []finding) []profile {
	made := make([]profile, 0, len(requirement.Profiles()))
	for _, p := range requirement.Profiles() {
		shown := profile{ID: anchor("profile", p.Name), Title: p.Name}
		if i := slices.IndexFunc(r.Profiles, func(o report.Profile) bool { return o.Name == p.Name }); i >= 0 {
			outcome := r.Profiles[i]
			shown.Title, shown.Detail = outcome.Title(), outcome.Detail()
			shown.Outcome, shown.Class = words(outcome.Outcome), string(outcome.Outcome.Verdict())
			for _, id := range outcome.Failed {
				shown.Rows = append(shown.Rows, clause{id, "failed", string(suite.Failed), casesOn(r, id, found, suite.Failed)})
			}
			for _, id := range outcome.Open {
				shown.Rows = append(shown.Rows, clause{id, "open", string(suite.Warned), casesOn(r, id, found, suite.Errored, suite.Skipped)})
			}
		}
		made = append(made, shown)
	}
	return made
}

// words returns an outcome as people read it.
func words(o report.Outcome) string { return strings.ReplaceAll(string(o), "-", " ") }

// casesOn returns the cases on a requirement that ended in one of the verdicts.
func casesOn(r *report.ConformanceReport, id string, found []finding, verdicts ...suite.Verdict) []caseRef {
	var refs []caseRef
	for _, c := range r.Cases {
		if c.Provisional || !slices.Contains(verdicts, c.Verdict) || !slices.Contains(slices.Concat(blamed(c), waived(c)), id) {
			continue
		}
		ref := caseRef{ID: c.ID, Why: string(c.DecidedBy)}
		if i := slices.IndexFunc(found, func(f finding) bool { return f.Case == c.ID }); i >= 0 {
			ref.Finding, ref.Why = found[i].ID, found[i].Mark
		}
		refs = append(refs, ref)
	}
	return refs
}
