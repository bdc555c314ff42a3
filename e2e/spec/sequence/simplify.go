// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"cmp"
	"slices"
)

// simplify replaces the first step that has a simpler alternative.
func (s shrinking) simplify(plan []Step) (simpler []Step, changed bool) {
	if len(plan) == 0 {
		return plan, false
	}
	last := plan[len(plan)-1]
	for i, step := range plan {
		for _, other := range step.simpler(s.kinds, slices.Concat(last.Requisite, last.Preferred)) {
			if s.over() {
				return plan, false
			}
			candidate := slices.Clone(plan)
			candidate[i] = other
			if taken := s.fails(candidate); taken > 0 {
				return candidate[:taken], true
			}
		}
	}
	return plan, false
}

// simpler returns steps that ask for less, simplest first, of these kinds of volumes. A step that fills a segment may
// just as well fill one of the segments that matter.
func (s Step) simpler(kinds, matter []int) []Step {
	var others []Step
	add := func(change func(other *Step)) {
		other := s
		other.Requisite, other.Preferred, other.Beside = slices.Clone(s.Requisite), slices.Clone(s.Preferred), slices.Clone(s.Beside)
		if change(&other); other.weight() < s.weight() {
			others = append(others, other)
		}
	}
	for i, beside := range s.Beside {
		add(func(other *Step) { *other = beside })
		add(func(other *Step) { other.Beside = slices.Delete(other.Beside, i, i+1) })
		for _, simpler := range beside.simpler(kinds, matter) {
			add(func(other *Step) { other.Beside[i] = simpler })
		}
	}
	if len(s.Beside) > 0 {
		add(func(other *Step) { *other = s.Beside[0]; other.Beside = slices.Clone(s.Beside[1:]) })
		add(func(other *Step) { other.Beside = nil })
	}
	add(func(other *Step) { other.Twice = false })
	add(func(other *Step) { other.Cut = false })
	add(func(other *Step) { other.Page = 0 })
	add(func(other *Step) { other.Form, other.Twin = Usual, 0 })
	add(func(other *Step) { other.Limit = NoLimit })
	add(func(other *Step) { other.Use = Plain })
	add(func(other *Step) { other.ReadOnly = false })
	if s.isCopy() {
		add(func(other *Step) { other.Source, other.Snapshot, other.X = 0, 0, max(other.X, 1) })
	}
	add(func(other *Step) { other.Size = Unit })
	add(func(other *Step) { other.Size = Fitting })
	add(func(other *Step) { other.Size = TooLarge })
	for _, x := range kinds {
		add(func(other *Step) { other.X = x })
	}
	add(func(other *Step) { other.Requisite, other.Preferred = nil, nil })
	add(func(other *Step) { other.Preferred = nil })
	add(func(other *Step) { other.Requisite = nil })
	for _, segment := range slices.Concat(s.Requisite, s.Preferred) {
		add(func(other *Step) { other.Size, other.Segment = Fitting, segment })
		add(func(other *Step) { other.Requisite, other.Preferred = []int{segment}, nil })
	}
	if s.Move == Create && (s.Size == Fitting || s.Size == TooLarge) && len(kinds) > 0 {
		for _, segment := range matter {
			add(func(other *Step) {
				other.X, other.Size, other.Segment = slices.Min(kinds), Fitting, segment
				other.Requisite, other.Preferred = []int{segment}, nil
			})
		}
	}
	for i := range s.Requisite {
		add(func(other *Step) { other.Requisite = slices.Delete(other.Requisite, i, i+1) })
	}
	for i := range s.Preferred {
		add(func(other *Step) { other.Preferred = slices.Delete(other.Preferred, i, i+1) })
	}
	slices.SortStableFunc(others, func(a, b Step) int { return cmp.Compare(a.weight(), b.weight()) })
	return others
}

// weight returns the complexity of a step: its request, and a size that is not the usual one, or that is measured by a
// segment that the step does not request. A growth that must fail is the simplest: no earlier step has to take the room.
func (s Step) weight() int {
	asked := slices.Concat(s.Requisite, s.Preferred)
	weight := len(asked) + s.X + s.extras()
	switch {
	case s.Move == Grow && s.Size == TooLarge:
		return weight - 1
	case s.Size == Double || s.Size == Odd || s.Size == Present || s.Size == Fitting:
		weight++
	case s.Size == TooLarge:
		weight += 2
	}
	if measured := s.Size == Fitting || s.Size == TooLarge; measured && s.Move == Create && !slices.Contains(asked, s.Segment) {
		weight++
	}
	return weight
}

// extras returns the complexity of a step beyond the fields that every step has.
func (s Step) extras() int {
	extras := 0
	for _, has := range []bool{s.isCopy(), s.Limit != NoLimit, s.Use != Plain, s.ReadOnly, s.Twice, s.Cut, s.Form != Usual, s.Path > 0, s.Page > 0} {
		if has {
			extras++
		}
	}
	for _, beside := range s.Beside {
		extras += 2 + beside.weight()
	}
	return extras
}
