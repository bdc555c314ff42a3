// SPDX-License-Identifier: Apache-2.0

package unchosen

import (
	"errors"
	"fmt"
)

// Check says which mutants that were not killed nobody has looked at, and which reasons are of no mutant any more.
func (r *Results) Check(stale []Reason) error {
	var problems []error
	for _, m := range r.Mutants {
		if m.Unexplained() && m.Needs == "" {
			problems = append(problems, fmt.Errorf("%s:%d %s: %s: %s, and nothing says what it needs: write a case that kills it, or its reason into reasons.yaml", m.File, m.Line, m.Function, m.Change, m.Outcome))
		}
	}
	for _, reason := range stale {
		problems = append(problems, fmt.Errorf("the reason of %s %s %q is of no mutant: remove it from reasons.yaml", reason.File, reason.Function, reason.Changes))
	}
	return errors.Join(problems...)
}
