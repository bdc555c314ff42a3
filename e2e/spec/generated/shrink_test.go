package generated

import (
	"slices"
	"testing"
)

func never() bool { return false }

// names are those of the plan's steps.
func names(plan []Step) []int {
	var found []int
	for _, step := range plan {
		found = append(found, step.Name)
	}
	return found
}

// failsWith fails with the first step by which the plan has had all of the names in their order.
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
