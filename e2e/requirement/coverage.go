// SPDX-License-Identifier: Apache-2.0

package requirement

import (
	"errors"
	"fmt"
	"slices"
)

// Coverage holds the ids of the cases that verify each requirement.
type Coverage map[string][]string

// Add records that the case verifies the requirements.
func (c Coverage) Add(caseID string, requirements ...string) {
	for _, id := range requirements {
		if !slices.Contains(c[id], caseID) {
			c[id] = append(c[id], caseID)
		}
	}
}

// Check compares the register with the cases. Its error has a line for each case that names an unknown requirement, for
// each requirement with neither a case nor a reason, and for each reason that is obsolete because there is a case.
func (c Coverage) Check() error {
	return c.check(All())
}

func (c Coverage) check(register []Requirement) error {
	var problems []error
	known := map[string]bool{}
	for _, r := range register {
		known[r.ID] = true
		covered := len(c[r.ID]) > 0
		switch {
		case covered && r.Untestable != "":
			problems = append(problems, fmt.Errorf("%s is called untestable, and case %s verifies it: take one of them back", r.ID, c[r.ID][0]))
		case covered && r.Uncovered != "":
			problems = append(problems, fmt.Errorf("%s is called uncovered, and case %s verifies it: take the reason away", r.ID, c[r.ID][0]))
		case !covered && r.Untestable == "" && r.Uncovered == "":
			problems = append(problems, fmt.Errorf("%s has no case, and no reason why: %s", r.ID, r.Text))
		}
	}
	for id, cases := range c {
		if !known[id] {
			problems = append(problems, fmt.Errorf("case %s verifies %s, which the register does not hold", cases[0], id))
		}
	}
	return errors.Join(problems...)
}
