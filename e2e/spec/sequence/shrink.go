// SPDX-License-Identifier: Apache-2.0

package sequence

import "slices"

// shrinking makes a failing plan shorter.
type shrinking struct {
	// kinds holds the numbers of segments that volumes may be accessible from.
	kinds []int
	// fails carries a plan out and returns the number of steps until it fails, 0 if it does not.
	fails func(plan []Step) int
	// over reports whether it is time to stop.
	over func() bool
}

// shrink leaves steps out of a plan that fails and makes the remaining ones simpler, until any further change would lose the
// failure. finished is false if the time ended before.
func (s shrinking) shrink(plan []Step) (shorter []Step, finished bool) {
	for !s.over() {
		plan = s.leaveOut(plan)
		simpler, changed := s.simplify(plan)
		if !changed {
			return plan, !s.over()
		}
		plan = simpler
	}
	return plan, false
}

// leaveOut leaves out halves of the plan, then ever smaller parts, until no single step can be left out (delta
// debugging).
func (s shrinking) leaveOut(plan []Step) []Step {
	for part := max(len(plan)/2, 1); ; {
		before := len(plan)
		for from := 0; from < len(plan); {
			if s.over() {
				return plan
			}
			candidate := slices.Concat(plan[:from], plan[min(from+part, len(plan)):])
			if taken := s.fails(candidate); taken > 0 {
				plan = candidate[:taken]
			} else {
				from += part
			}
		}
		switch {
		case part > 1:
			part = max(min(part, len(plan))/2, 1)
		case len(plan) == before:
			return plan
		}
	}
}
