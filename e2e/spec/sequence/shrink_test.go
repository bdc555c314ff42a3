// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"fmt"
	"slices"
	"testing"
)

func never() bool { return false }

// names returns the names of the plan's steps.
func names(plan []Step) []int {
	var found []int
	for _, step := range plan {
		found = append(found, step.Name)
	}
	return found
}

// failsWith fails at the first step by which the plan has had all of the names in their order.
func failsWith(wanted ...int) func([]Step) int {
	return func(plan []Step) int {
		next := 0
		for i, step := range plan {
			if step.Name == wanted[next] {
				next++
			}
			if next == len(wanted) {
				return i + 1
			}
		}
		return 0
	}
}

func TestShrinkLeavesOutAllThatCanBe(t *testing.T) {
	plan := make([]Step, 100)
	for i := range plan {
		plan[i].Name = i
	}
	for _, want := range [][]int{{0}, {99}, {3, 4}, {0, 50, 99}, {10, 20, 30, 40, 41}} {
		got, finished := shrinking{nil, failsWith(want...), never}.shrink(plan)
		if !finished || !slices.Equal(names(got), want) {
			t.Errorf("got %v, finished: %v, want %v", names(got), finished, want)
		}
	}
}

func TestShrinkSimplifies(t *testing.T) {
	long := Step{Move: Create, Name: 1, X: 2, Size: TooLarge, Requisite: []int{0, 1, 2}, Preferred: []int{2, 1}, Segment: 3}
	for _, c := range []struct {
		name  string
		fails func(Step) bool
		want  Step
	}{
		{"nothing matters", func(Step) bool { return true }, Step{Move: Create, Name: 1, X: 1, Segment: 3}},
		{"a segment is in requisite", func(s Step) bool { return slices.Contains(s.Requisite, 1) }, Step{Move: Create, Name: 1, X: 1, Requisite: []int{1}, Segment: 3}},
		{"the order of preferred", func(s Step) bool { return slices.Equal(s.Preferred, []int{2, 1}) }, Step{Move: Create, Name: 1, X: 1, Preferred: []int{2, 1}, Segment: 3}},
		{"the size", func(s Step) bool { return s.Size == Fitting || s.Size == TooLarge }, Step{Move: Create, Name: 1, X: 1, Size: Fitting, Requisite: []int{1}, Segment: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fails := func(plan []Step) int {
				if len(plan) == 1 && c.fails(plan[0]) {
					return 1
				}
				return 0
			}
			got, _ := shrinking{[]int{1, 2}, fails, never}.shrink([]Step{long})
			if len(got) != 1 || got[0].weight() != c.want.weight() || !c.fails(got[0]) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestShrinkStopsInTime(t *testing.T) {
	plan := make([]Step, 100)
	attempts := 0
	fails := func(part []Step) int { attempts++; return len(part) }
	got, finished := shrinking{nil, fails, func() bool { return attempts >= 2 }}.shrink(plan)
	if finished || attempts != 2 || len(got) == 0 || len(got) >= len(plan) {
		t.Errorf("got %d steps after %d attempts, finished: %v", len(got), attempts, finished)
	}
}

// TestShrinkLeavesOutWhatIsBeside checks that shrinking keeps the requests that matter among concurrent ones, and the steps
// that they depend on.
func TestShrinkLeavesOutWhatIsBeside(t *testing.T) {
	has := func(plan []Step, move Move, name int) bool {
		return slices.ContainsFunc(requests(plan), func(s Step) bool { return s.Move == move && s.Name == name })
	}
	plan := []Step{
		{Move: Create, Name: 1, X: 1}, {Move: Create, Name: 2, X: 2, Use: Shared, Limit: Exact}, {Move: Snapshot, Name: 2, Snapshot: 1},
		{Move: Validate, Name: 1, Beside: []Step{{Move: Grow, Name: 2, Limit: Loose}, {Move: Create, Name: 3, X: 2, Snapshot: 1}}},
	}
	for _, c := range []struct {
		name  string
		fails func(plan []Step) bool
		want  []Step
	}{{
		"one request", func(plan []Step) bool { return has(plan, Create, 2) && has(plan, Grow, 2) },
		[]Step{{Move: Create, Name: 2, X: 1}, {Move: Grow, Name: 2, Size: TooLarge}},
	}, {
		"a copy", func(plan []Step) bool {
			return has(plan, Snapshot, 2) && slices.ContainsFunc(requests(plan), func(s Step) bool { return s.isCopy() })
		},
		[]Step{{Move: Snapshot, Name: 2, Snapshot: 1}, {Move: Create, Name: 3, X: 1, Snapshot: 1}},
	}, {
		"two requests at the same time", func(plan []Step) bool {
			return slices.ContainsFunc(plan, func(s Step) bool { return len(s.Beside) > 0 && has([]Step{s}, Grow, 2) && has([]Step{s}, Create, 3) })
		},
		[]Step{{Move: Grow, Name: 2, Size: TooLarge, Beside: []Step{{Move: Create, Name: 3, X: 1}}}},
	}} {
		t.Run(c.name, func(t *testing.T) {
			fails := func(plan []Step) int {
				if c.fails(plan) {
					return len(plan)
				}
				return 0
			}
			got, finished := shrinking{[]int{1, 2}, fails, never}.shrink(plan)
			if fmt.Sprint(got) != fmt.Sprint(c.want) || !finished {
				t.Errorf("got %+v, finished: %v, want %+v", got, finished, c.want)
			}
		})
	}
}

// TestNoStepAfterTheEnd checks that shrinking takes as many steps as there is time for.
func TestNoStepAfterTheEnd(t *testing.T) {
	for _, c := range []struct {
		name              string
		time, wrong, want int
	}{
		{"no time", 0, 9, 0},
		{"time for three steps", 3, 9, 3},
		{"time for all", 9, 9, 5},
		{"the second step is wrong", 9, 2, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			steps := 0
			taken := follow(make([]Step, 5), func() bool { return steps >= c.time }, func(Step) bool { steps++; return steps < c.wrong })
			if taken != c.want || steps != c.want {
				t.Errorf("took %d steps and returned %d, want %d", steps, taken, c.want)
			}
		})
	}
}
