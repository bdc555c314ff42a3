// SPDX-License-Identifier: Apache-2.0

// Package placement has drivers that put volumes where they may not be, and right drivers that lack
// something.
package placement

import (
	"maps"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// caughtWhenFull expects that every case in which nothing can be provisioned fails by the clause.
func caughtWhenFull(clause string) []mutation.Case {
	return []mutation.Case{mutation.Fails("T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-GT-1F T-PF-2d T-PF-3e T-ID-3 "+
		"requisite_unknown_needed at_once_last_room", clause)}
}

// wrongCodeWhenFull returns the cases that fail for a code that is not the condition's, with their clauses.
func wrongCodeWhenFull() []mutation.Case {
	return []mutation.Case{
		mutation.Fails("T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-GT-1F T-PF-2d T-PF-3e T-ID-3", "CREATE-02 CREATE-08"),
		mutation.Fails("requisite_unknown_needed", "GEN-12"),
		mutation.Fails("at_once_last_room", "CREATE-08"),
	}
}

// Drivers returns the faults, and what is right and lacks something.
func Drivers() map[string]mutation.Expectation {
	wanted := map[string]mutation.Expectation{}
	for _, expectations := range []map[string]mutation.Expectation{lacks(), few(), faults(), wrongLists(), wrongNames(), wrongAnswers(), transient(), untoldRoom(), wrongForms(), controllersPerNode()} {
		maps.Copy(wanted, expectations)
	}
	for name, expectation := range wrongTerms() {
		expectation.Wide = true
		wanted[name] = expectation
	}
	return wanted
}
