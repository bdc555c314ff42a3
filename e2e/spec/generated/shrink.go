package generated

import (
	"cmp"
	"slices"
)

// shrinking makes a failing plan shorter.
type shrinking struct {
	// kinds are the numbers of segments that volumes may be accessible from.
	kinds []int
	// fails carries a plan out and returns how many of its steps it takes to fail, 0 when it does not.
	fails func(plan []Step) int
	// over reports whether it is time to stop.
	over func() bool
}

// shrink leaves steps out of a plan that fails and makes those that stay simpler, until neither can be done without
// losing the failure. finished is false when the time was over before.
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

// simplify replaces the first step that a simpler one can stand for.
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

// simpler are steps that ask for less, the simplest first, of these kinds of volumes. What fills a segment may as well
// fill one of those that matter.
func (s Step) simpler(kinds, matter []int) []Step {
	var others []Step
	add := func(change func(other *Step)) {
		other := s
		other.Requisite, other.Preferred = slices.Clone(s.Requisite), slices.Clone(s.Preferred)
		if change(&other); other.weight() < s.weight() {
			others = append(others, other)
		}
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

// weight is how much there is to understand in a step: what it asks for, and a size that is not the usual one, or even
// measured by a segment which the step does not ask for. A growth that must fail is the simplest: it needs no step before
// it that takes the room.
func (s Step) weight() int {
	asked := slices.Concat(s.Requisite, s.Preferred)
	weight := len(asked) + s.X
	switch {
	case s.Move == Grow && s.Size == TooLarge:
		return weight - 1
	case s.Size == Double || s.Size == Present || s.Size == Fitting:
		weight++
	case s.Size == TooLarge:
		weight += 2
	}
	if measured := s.Size == Fitting || s.Size == TooLarge; measured && s.Move == Create && !slices.Contains(asked, s.Segment) {
		weight++
	}
	return weight
}
