// SPDX-License-Identifier: Apache-2.0

package comparison

import (
	"fmt"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/conformance"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// profile is the outcome of a conformance profile.
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
	// Mark is the word for its result, and Class its colour.
	Mark, Class string
	Cases       []caseRef
}

// caseRef names a case. Finding is the anchor of its finding, and Why is for a case without a finding.
type caseRef struct {
	ID, Finding, Why string
}

// profilesOf returns the conformance profiles in the order of the register, each with its outcome if the report has one.
func profilesOf(r *report.ConformanceReport, anchor func(...string) string, found []finding) []profile {
	made := make([]profile, 0, len(requirement.Profiles()))
	for _, p := range requirement.Profiles() {
		shown := profile{ID: anchor("profile", p.Name), Title: p.Name}
		if i := slices.IndexFunc(r.Profiles, func(o report.Profile) bool { return o.Name == p.Name }); i >= 0 {
			shown.judge(r, r.Profiles[i], found)
		}
		made = append(made, shown)
	}
	return made
}

// judge fills in the outcome, without the failures that the back end explains.
func (p *profile) judge(r *report.ConformanceReport, judged report.Profile, found []finding) {
	outcome, explained := conformance.Explain(judged, r.Implementation.Backend)
	p.Title, p.Outcome, p.Class = judged.Title(), outcome.Words(), string(outcome.Verdict())
	if outcome == conformance.Explained {
		p.Class = markExplained
	}
	judged.Failed = slices.DeleteFunc(slices.Clone(judged.Failed), func(id string) bool { return slices.Contains(explained, id) })
	p.Detail = judged.Detail()
	if len(explained) > 0 {
		p.Detail += fmt.Sprintf("; %d explained by the back end: %s", len(explained), strings.Join(explained, ", "))
	}
	for _, id := range judged.Failed {
		p.Rows = append(p.Rows, clause{id, "failed", string(suite.Failed), failedBy(r, id, found)})
	}
	for _, id := range explained {
		p.Rows = append(p.Rows, clause{id, "explained by the back end", markExplained, failedBy(r, id, found)})
	}
	for _, id := range judged.Open {
		p.Rows = append(p.Rows, clause{id, "open", string(suite.Warned), leftOpenBy(r, id, found)})
	}
}

// failedBy returns the cases that failed because of the requirement.
func failedBy(r *report.ConformanceReport, id string, found []finding) []caseRef {
	return refsTo(r, found, func(c report.Case) bool {
		return c.Verdict == suite.Failed && slices.Contains(blamed(c), id)
	})
}

// leftOpenBy returns the cases on the requirement that did not pass.
func leftOpenBy(r *report.ConformanceReport, id string, found []finding) []caseRef {
	return refsTo(r, found, func(c report.Case) bool {
		return c.Verdict != suite.Passed && slices.Contains(slices.Concat(c.Requirements, c.Blamed, waived(c)), id)
	})
}

// refsTo returns references to the cases that count and that chosen accepts.
func refsTo(r *report.ConformanceReport, found []finding, chosen func(c report.Case) bool) []caseRef {
	var refs []caseRef
	for _, c := range r.Cases {
		if c.Provisional || !chosen(c) {
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
