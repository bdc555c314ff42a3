// SPDX-License-Identifier: Apache-2.0

package covering

import (
	"slices"
	"testing"
)

func TestRowsHaveEachCombination(t *testing.T) {
	tests := []struct {
		name  string
		array Array
		most  int
	}{
		{"pairs of two values", Array{Values: []int{2, 2, 2, 2, 2, 2, 2}, Together: Pairs(7)}, 8},
		{"pairs of many values", Array{Values: []int{6, 5, 4, 4, 3, 3, 3, 2, 2}, Together: Pairs(9)}, 38},
		{"a triple", Array{Values: []int{3, 3, 3, 2, 2}, Together: append(Pairs(5), []int{0, 1, 2})}, 30},
		{"one value", Array{Values: []int{1, 1}, Together: Pairs(2)}, 1},
		{"forbidden", Array{Values: []int{3, 3, 3}, Together: Pairs(3), Forbids: func(row []int) bool { return row[0] == 2 && row[1] != Unset && row[1] != 0 }}, 11},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows := test.array.Rows()
			for _, c := range test.array.Combinations() {
				if !slices.ContainsFunc(rows, c.In) {
					t.Errorf("no row has %v", c)
				}
			}
			for _, row := range rows {
				if slices.Contains(row, Unset) {
					t.Errorf("row %v leaves a value open", row)
				}
				if test.array.Forbids != nil && test.array.Forbids(row) {
					t.Errorf("row %v is forbidden", row)
				}
			}
			if len(rows) > test.most {
				t.Errorf("%d rows, wanted at most %d", len(rows), test.most)
			}
			if again := test.array.Rows(); !slices.EqualFunc(rows, again, slices.Equal) {
				t.Error("the rows differ from one time to the next")
			}
		})
	}
}

func TestForbiddenCombinationsAreNone(t *testing.T) {
	forbidden := Array{Values: []int{2, 2, 2}, Together: Pairs(3), Forbids: func(row []int) bool { return row[0] == 1 && row[1] == 1 }}
	if slices.ContainsFunc(forbidden.Combinations(), func(c Combination) bool { return c.In([]int{1, 1, 0}) && c.Dimensions[0] == 0 && c.Dimensions[1] == 1 }) {
		t.Error("a forbidden combination is among those that have to occur")
	}
}
