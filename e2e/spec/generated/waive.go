package generated

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

// waivedBy are the clauses that the profile waives.
func waivedBy(p profile.Profile) map[string]bool {
	waived := map[string]bool{}
	for _, waiver := range p.Waivers {
		waived[waiver.Requirement] = true
	}
	return waived
}

// unless are the clauses that are not waived; all of them where nothing else is left, which waives the case.
func unless(waived map[string]bool, clauses ...string) []string {
	left := slices.DeleteFunc(slices.Clone(clauses), func(clause string) bool { return waived[clause] })
	if len(left) == 0 {
		return clauses
	}
	return left
}

// waives reports whether one of the reasons for which an answer is wrong is waived: together they are one fault.
func (s *sequence) waives(reasons []model.Reason) bool {
	return slices.ContainsFunc(reasons, func(reason model.Reason) bool { return s.waived[reason.Clause] })
}

// waive takes back what is wrong with the answer by clauses that are waived.
func (o *outcome) waive(waived map[string]bool) {
	is := func(reason model.Reason) bool { return waived[reason.Clause] }
	o.broken, o.regretted = slices.DeleteFunc(o.broken, is), slices.DeleteFunc(o.regretted, is)
}
