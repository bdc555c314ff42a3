// SPDX-License-Identifier: Apache-2.0

package report

import (
	"maps"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// RequirementsOf returns one verdict for every requirement that a case verifies or blames, ordered by id.
func RequirementsOf(cases []Case, lookup suite.Lookup) []Requirement {
	named := map[string][]Case{}
	for _, c := range cases {
		others := slices.DeleteFunc(slices.Clone(c.Blamed), func(id string) bool { return slices.Contains(c.Requirements, id) })
		for _, id := range slices.Concat(c.Requirements, others) {
			of := c
			switch {
			case slices.ContainsFunc(c.Waived, func(aside suite.SetAside) bool { return slices.Contains(aside.Clauses, id) }):
				of.Verdict, of.DecidedBy = suite.Skipped, suite.ByWaiver
			case c.Verdict == suite.Skipped && len(c.Waived) > 0:
				of.Verdict, of.DecidedBy = NotExercised, "" // how far it got is not known
			case c.Verdict != suite.Passed && c.Verdict != suite.Skipped:
				of.Verdict = c.verdictOn(id, lookup)
			}
			named[id] = append(named[id], of)
		}
	}
	requirements := []Requirement{}
	for _, id := range slices.Sorted(maps.Keys(named)) {
		level, grades, _ := lookup(id)
		requirements = append(requirements, Requirement{ID: id, Level: level, Grades: grades, Verdict: together(named[id]), Cases: ids(named[id])})
	}
	return requirements
}

// verdictOn returns the verdict of a case that did not pass on one of its requirements. It is NotExercised for requirements
// that the case does not blame, since it may not have reached them.
//
// A case that blames none fails its MUST requirements, and has no verdict on the others; a warning of such a case is about
// the others, or about all if all are a MUST.
func (c Case) verdictOn(id string, lookup suite.Lookup) suite.Verdict {
	if len(c.Blamed) > 0 && !slices.Contains(c.Blamed, id) {
		return NotExercised
	}
	weak := !lookup.Binds(id)
	switch {
	case c.Verdict == suite.Failed && weak && len(c.Blamed) > 0:
		return suite.Warned
	case c.Verdict == suite.Failed && weak:
		return NotExercised
	case c.Verdict == suite.Warned && len(c.Blamed) == 0 && !weak && slices.ContainsFunc(c.Requirements, func(other string) bool { return !lookup.Binds(other) }):
		return NotExercised
	default:
		return c.Verdict
	}
}

// together returns the worst verdict among a requirement's cases, where a fail is worse than an error. A requirement that a
// case contradicts and the vendor waives is skipped, even if others hold. If all cases were skipped, the requirement is
// skipped only if each skip shows that it does not apply, because the driver does not claim the capability. Otherwise it is
// not exercised, which is not a success.
func together(cases []Case) suite.Verdict {
	for _, worst := range []suite.Verdict{suite.Failed, suite.Errored, suite.Warned} {
		if slices.ContainsFunc(cases, func(c Case) bool { return c.Verdict == worst }) {
			return worst
		}
	}
	switch {
	case slices.ContainsFunc(cases, func(c Case) bool { return c.DecidedBy == suite.ByWaiver }):
		return suite.Skipped
	case slices.ContainsFunc(cases, func(c Case) bool { return c.Verdict == suite.Passed }):
		return suite.Passed
	case slices.ContainsFunc(cases, func(c Case) bool { return c.DecidedBy != suite.ByCapability }):
		return NotExercised
	default:
		return suite.Skipped
	}
}

func ids(cases []Case) []string {
	var found []string
	for _, c := range cases {
		if !slices.Contains(found, c.ID) {
			found = append(found, c.ID)
		}
	}
	return found
}
