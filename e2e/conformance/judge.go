// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Complete marks the provisional cases of a report, and adds the outcomes of the profiles.
func Complete(r *report.ConformanceReport) {
	for i, c := range r.Cases {
		r.Cases[i].Provisional = len(c.Requirements) > 0 && Provisional(c.ID)
	}
	r.Profiles = Judge(r)
}

// Judge returns the outcomes of the profiles that the run's tier judges, in the register's order. A profile is left out if
// no case of it was selected.
func Judge(r *report.ConformanceReport) []report.Profile {
	rows := rowsOf(r)
	var outcomes []report.Profile
	for _, p := range requirement.Profiles() {
		if made, selected := judge(p, rows, p.ClaimedBy(r.Driver.Capabilities)); selected {
			outcomes = append(outcomes, made)
		}
	}
	return outcomes
}

// row is a requirement with the cases that count for it.
type row struct {
	id      string
	verdict suite.Verdict
	cases   []report.Case
}

// rowsOf returns the requirements that the report judges, by id: the requirements of the version of the specification that
// the driver implements.
func rowsOf(r *report.ConformanceReport) map[string]row {
	by := map[string]report.Case{}
	for _, c := range r.Cases {
		by[c.ID] = c
	}
	rows := map[string]row{}
	for _, found := range report.RequirementsOf(counting(r.Cases), requirement.Lookup) {
		if row, _ := requirement.ByID(found.ID); row.NewerThan(r.Suite.CSI) {
			continue
		}
		judged := row{id: found.ID, verdict: found.Verdict}
		for _, id := range found.Cases {
			judged.cases = append(judged.cases, by[id])
		}
		rows[found.ID] = judged
	}
	return rows
}

// counting returns the cases that count, which are not provisional, with the requirements that they count for. A wide case
// counts only for the requirements that it blames.
func counting(cases []report.Case) []report.Case {
	var count []report.Case
	for _, c := range cases {
		if isWide(c.ID) {
			c.Requirements = slices.Clone(c.Blamed)
		}
		if !c.Provisional && len(c.Requirements) > 0 {
			count = append(count, c)
		}
	}
	return count
}

// isWide reports whether the case covers many conditions, or checks all calls of a run, and names every clause that one of
// them may show. If such a case passes, that does not prove that each clause was exercised.
func isWide(caseID string) bool {
	return slices.ContainsFunc([]string{"generated_sequence", "combinations_", "run_"}, func(prefix string) bool { return strings.HasPrefix(caseID, prefix) })
}

// leftOut reports whether the command line left the case out, rather than a waiver or the version of the specification.
func leftOut(c report.Case) bool { return c.DecidedBy == suite.ByFilter && len(c.Waived) == 0 }

// judge returns the outcome of a profile, given whether the driver claims it, and whether one of its cases was selected.
func judge(p requirement.Profile, rows map[string]row, claimed bool) (made report.Profile, selected bool) {
	made = report.Profile{Name: p.Name, Core: p.Core}
	for _, id := range p.All() {
		judged, found := rows[id]
		if !found {
			continue
		}
		selected = selected || slices.ContainsFunc(judged.cases, func(c report.Case) bool { return c.DecidedBy != suite.ByFilter })
		switch {
		case judged.verdict == suite.Failed:
			made.Failed = append(made.Failed, id)
		case !claimed:
			made.NotClaimed = append(made.NotClaimed, id)
		case judged.open(slices.Contains(p.Declared, id)):
			made.Open = append(made.Open, id)
		case judged.verdict == suite.Passed || judged.verdict == suite.Warned:
			made.Held = append(made.Held, id)
		default:
			made.NotClaimed = append(made.NotClaimed, id)
		}
	}
	switch {
	case len(made.Failed) > 0:
		made.Outcome = report.Failure
	case len(made.Open) > 0:
		made.Outcome = report.Partial
	case len(made.Held) == 0:
		made.Outcome = report.NotClaimed
	default:
		made.Outcome = report.Success
	}
	return made, selected
}

// open reports whether the requirement, which did not fail, could not be judged in full: a case ended in an error, was left
// out or found something that the vendor waives, or no case exercised it although it is claimed. declared says that the
// vendor's profile claims it.
func (r row) open(declared bool) bool {
	hidden := func(c report.Case) bool {
		return leftOut(c) || slices.ContainsFunc(c.Waived, func(a suite.SetAside) bool { return slices.Contains(a.Clauses, r.id) })
	}
	claimed := func(c report.Case) bool {
		return c.DecidedBy != suite.ByCapability && (c.DecidedBy != suite.ByProfile || !declared)
	}
	switch {
	case r.verdict == suite.Errored || slices.ContainsFunc(r.cases, hidden):
		return true
	case r.verdict == report.NotExercised:
		return slices.ContainsFunc(r.cases, claimed)
	default:
		return false
	}
}
