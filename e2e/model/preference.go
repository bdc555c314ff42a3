package model

import "slices"

// preference tells for each preferred topology, first to last, whether the set serves it.
func preference(preferred, answered Set) []bool {
	served := make([]bool, 0, len(preferred))
	for _, term := range preferred {
		served = append(served, answered.matching(term))
	}
	return served
}

// comparePreference is positive when a serves the order of preferred better than b: the first topology that only one of
// them serves decides. For two zones and preferred Z5, Z3 that is example 3's order: Z5 and Z3, Z5 and another, Z3 and
// another, others.
func comparePreference(a, b []bool) int {
	return slices.CompareFunc(a, b, func(x, y bool) int {
		switch {
		case x == y:
			return 0
		case x:
			return 1
		default:
			return -1
		}
	})
}

// best are the sets that serve the order of preferred best; all of them when nothing is preferred.
func best(preferred Set, sets []Set) []Set {
	var kept []Set
	for _, set := range sets {
		order := -1
		if len(kept) > 0 {
			order = comparePreference(preference(preferred, set), preference(preferred, kept[0]))
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
