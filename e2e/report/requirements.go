package report

import (
	"maps"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// requirementsOf gives every requirement that a case names one verdict, ordered by id.
func requirementsOf(cases []Case, lookup Lookup) []Requirement {
	named := map[string][]Case{}
	for _, c := range cases {
		for _, id := range c.Requirements {
			if len(c.Blamed) > 0 && !slices.Contains(c.Blamed, id) {
				c.Verdict = NotExercised // how far it got says little
			}
			named[id] = append(named[id], c)
		}
	}
	requirements := []Requirement{}
	for _, id := range slices.Sorted(maps.Keys(named)) {
		level, grades, _ := lookup(id)
		requirements = append(requirements, Requirement{ID: id, Level: level, Grades: grades, Verdict: together(named[id]), Cases: ids(named[id])})
	}
	return requirements
}

// together is the worst verdict among a requirement's cases, a fail being worse than an error. If all were skipped the
// requirement is skipped only where each skip says that it does not apply: the driver does not claim the capability, or
// the vendor waived it. Else it is not exercised, which is not green.
func together(cases []Case) verdict.Verdict {
	for _, worst := range []verdict.Verdict{verdict.Fail, verdict.Error, verdict.Warning, verdict.Pass} {
		if slices.ContainsFunc(cases, func(c Case) bool { return c.Verdict == worst }) {
			return worst
		}
	}
	for _, c := range cases {
		if c.DecidedBy != verdict.ByCapability && c.DecidedBy != verdict.ByWaiver {
			return NotExercised
		}
	}
	return verdict.Skipped
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
