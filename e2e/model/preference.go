// SPDX-License-Identifier: Apache-2.0

package model

import "slices"

// preference returns how many segments of the set serve each preferred topology, first to last: a segment that serves
// several counts for the first. If a topology counts as one, it is served or not.
func (rd reading) preference(answered Set) []int {
	served := make([]int, 0, len(rd.Preferred))
	left := slices.Clone(answered)
	for _, term := range rd.Preferred {
		if !rd.each {
			served = append(served, boolToInt(rd.serves(answered, term)))
			continue
		}
		before := len(left)
		left = slices.DeleteFunc(left, func(segment Segment) bool { return rd.meets(segment, term) })
		served = append(served, before-len(left))
	}
	return served
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// best returns the sets that serve the order of preferred best; all of them when nothing is preferred. The first
// topology that one of two sets serves better decides. For two zones and preferred Z5, Z3 that is example 3's order: Z5
// and Z3, Z5 and another, Z3 and another, others.
func (rd reading) best(sets []Set) []Set {
	var kept []Set
	for _, set := range sets {
		order := -1
		if len(kept) > 0 {
			order = slices.Compare(rd.preference(set), rd.preference(kept[0]))
		}
		switch {
		case len(kept) == 0 || order > 0:
			kept = []Set{set}
		case order == 0:
			kept = append(kept, set)
		}
	}
	return kept
}
