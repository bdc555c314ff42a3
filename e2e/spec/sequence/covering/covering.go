// SPDX-License-Identifier: Apache-2.0

// Package covering makes covering arrays: few rows in which each combination of some values occurs. It is independent of the
// meaning of the values.
//
// No maintained Go module does this: the array is small, and greedy construction with constraints takes as much code as
// calling a program such as PICT and reading its answer.
package covering

import "slices"

// Unset is the value of a dimension that a row has not chosen yet.
const Unset = -1

// Array describes the required rows.
type Array struct {
	// Values holds the number of values of each dimension, at least one.
	Values []int
	// Together holds groups of dimensions, by number, whose combinations of values all have to occur.
	Together [][]int
	// Forbids reports whether the row is forbidden. Some dimensions may be Unset: then it reports whether every choice for
	// them is forbidden. Nil forbids nothing.
	Forbids func(row []int) bool
}

// Combination is one choice of values for some dimensions.
type Combination struct {
	Dimensions, Values []int
}

// In reports whether the row contains the combination.
func (c Combination) In(row []int) bool {
	for i, d := range c.Dimensions {
		if row[d] != c.Values[i] {
			return false
		}
	}
	return true
}

// Combinations returns all combinations that have to occur and are not forbidden, in a fixed order.
func (a Array) Combinations() []Combination {
	var all []Combination
	for _, dimensions := range a.Together {
		values := make([]int, len(dimensions))
		for more := true; more; more = a.next(dimensions, values) {
			c := Combination{dimensions, slices.Clone(values)}
			if row := c.over(a.empty()); a.complete(row) != nil {
				all = append(all, c)
			}
		}
	}
	return all
}

// Rows returns rows that have each of the combinations, the same for the same array. Each row begins with the first
// combination that no earlier row has, and continues with the values that add most.
func (a Array) Rows() [][]int {
	missing := a.Combinations()
	var rows [][]int
	for len(missing) > 0 {
		row := a.fill(missing[0].over(a.empty()), missing)
		rows = append(rows, row)
		missing = slices.DeleteFunc(missing, func(c Combination) bool { return c.In(row) })
	}
	return rows
}

// fill chooses the values of a row that are not chosen yet.
func (a Array) fill(row []int, missing []Combination) []int {
	for {
		best, bestValue, most := Unset, Unset, -1
		for d := range a.Values {
			if row[d] != Unset {
				continue
			}
			for value := range a.Values[d] {
				with := slices.Clone(row)
				with[d] = value
				if adds := addedBy(with, d, missing); adds > most && a.complete(with) != nil {
					best, bestValue, most = d, value, adds
				}
			}
		}
		if best == Unset {
			return row
		}
		row[best] = bestValue
	}
}

// addedBy counts the missing combinations of the dimension that the row has, or may still have: complete combinations
// count most.
func addedBy(row []int, dimension int, missing []Combination) int {
	const complete = 1000
	added := 0
	for _, c := range missing {
		if !slices.Contains(c.Dimensions, dimension) {
			continue
		}
		unset, differs := 0, false
		for i, d := range c.Dimensions {
			switch row[d] {
			case c.Values[i]:
			case Unset:
				unset++
			default:
				differs = true
			}
		}
		switch {
		case differs:
		case unset == 0:
			added += complete
		default:
			added++
		}
	}
	return added
}

// complete returns an allowed row with values for the unset dimensions; nil if there is none.
func (a Array) complete(row []int) []int {
	if a.Forbids != nil && a.Forbids(row) {
		return nil
	}
	d := slices.Index(row, Unset)
	if d < 0 {
		return row
	}
	for value := range a.Values[d] {
		with := slices.Clone(row)
		with[d] = value
		if found := a.complete(with); found != nil {
			return found
		}
	}
	return nil
}

func (a Array) empty() []int { return slices.Repeat([]int{Unset}, len(a.Values)) }

// Pairs returns all pairs of the given number of dimensions.
func Pairs(dimensions int) [][]int {
	var all [][]int
	for first := range dimensions {
		for second := range first {
			all = append(all, []int{second, first})
		}
	}
	return all
}

// next increments the values of the dimensions, and returns false at the end.
func (a Array) next(dimensions, values []int) bool {
	for i := range slices.Backward(values) {
		if values[i]++; values[i] < a.Values[dimensions[i]] {
			return true
		}
		values[i] = 0
	}
	return false
}

// over returns the row with the combination.
func (c Combination) over(row []int) []int {
	for i, d := range c.Dimensions {
		row[d] = c.Values[i]
	}
	return row
}
