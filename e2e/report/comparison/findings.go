// SPDX-License-Identifier: Apache-2.0

package comparison

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/conformance"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// finding is a case that did not pass, or that found something that the vendor waives.
type finding struct {
	ID, Case, Text, Area string
	// Mark is the word for its result, and Class its colour.
	Mark, Class string
	// Clauses are the requirements that it blames, or all of the case's if it blames none.
	Clauses []string
	// Codes are the codes of the driver's answers; Why is the reason why the suite could not tell.
	Codes, Why  string
	Provisional bool
}

// findingsOf returns the findings of a report, in the order of its cases.
func findingsOf(r *report.ConformanceReport, anchor func(...string) string) []finding {
	var found []finding
	for _, c := range r.Cases {
		f := finding{
			Case: c.ID, Text: c.Text, Area: c.Area, Mark: string(c.Verdict), Class: string(c.Verdict),
			Clauses: blamed(c), Codes: c.Message, Provisional: c.Provisional,
		}
		switch {
		case c.DecidedBy == suite.ByFilter:
			continue
		case explained(c, r.Implementation.Backend):
			f.Mark, f.Class = markExplained, markExplained
		case c.Verdict == suite.Errored:
			f.Why = c.Reason
		case c.DecidedBy == suite.ByWaiver:
			f.Mark, f.Clauses, f.Codes = "waived", waived(c), ""
		case c.Verdict == suite.Passed || c.Verdict == suite.Skipped:
			continue
		}
		f.ID = anchor("case", c.ID)
		found = append(found, f)
	}
	return found
}

// markExplained is the word for a failure that the back end explains.
const markExplained = string(conformance.Explained)

// explained reports whether the case failed only because of requirements that the back end explains.
func explained(c report.Case, b report.Backend) bool {
	binding := slices.DeleteFunc(slices.Clone(blamed(c)), func(id string) bool { return !suite.Lookup(requirement.Lookup).Binds(id) })
	other := func(id string) bool { return !conformance.Explains(b, id) }
	return c.Verdict == suite.Failed && len(binding) > 0 && !slices.ContainsFunc(binding, other)
}

// blamed returns the requirements that a case's finding is about.
func blamed(c report.Case) []string {
	if len(c.Blamed) > 0 {
		return c.Blamed
	}
	return c.Requirements
}

func waived(c report.Case) []string {
	var clauses []string
	for _, aside := range c.Waived {
		clauses = union(clauses, aside.Clauses)
	}
	return clauses
}

// clausesOf returns the requirements that the drivers' findings and profiles name, in the register's order.
func clausesOf(drivers []driver) []requirement.Requirement {
	named := map[string]bool{}
	for _, d := range drivers {
		for _, a := range d.Areas {
			for _, f := range a.Findings {
				for _, id := range f.Clauses {
					named[id] = true
				}
			}
		}
		for _, p := range d.Profiles {
			for _, row := range p.Rows {
				named[row.ID] = true
			}
		}
	}
	return slices.DeleteFunc(requirement.All(), func(r requirement.Requirement) bool { return !named[r.ID] })
}

// union adds the items to the first list that it does not have.
func union(to, from []string) []string {
	for _, item := range from {
		if !slices.Contains(to, item) {
			to = append(to, item)
		}
	}
	return to
}
