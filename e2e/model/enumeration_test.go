// SPDX-License-Identifier: Apache-2.0

package model

import (
	"slices"
	"testing"
)

// TestEveryQuestionOnThreeSegments checks every requirement over three segments, in every world of them, for a new name and
// for the name of a volume.
func TestEveryQuestionOnThreeSegments(t *testing.T) {
	const every = 1 << 3
	for _, preferred := range orders(3) {
		for requisite := range uint(every) {
			for x := 1; x <= 3; x++ {
				q := question{segments: 3, x: x, preferred: preferred, requisite: subset(requisite)}
				for q.full = range uint(every) {
					compare(t, q)
				}
				q.full = 0
				for q.existing = range uint(every) {
					compare(t, q)
				}
			}
		}
	}
}

func subset(set uint) []term {
	var chosen []term
	for i, place := range places {
		if set>>i&1 == 1 {
			chosen = append(chosen, place)
		}
	}
	return chosen
}

// orders returns all orders of all subsets of the first places.
func orders(segments int) [][]term {
	found := [][]term{nil}
	for i := 0; i < len(found); i++ {
		for _, next := range places[:segments] {
			if !slices.Contains(found[i], next) {
				found = append(found, append(slices.Clone(found[i]), next))
			}
		}
	}
	return found
}

// TestEveryQuestionOnTwoRegions checks every requirement with up to one preferred topology, for volumes of two segments in
// one of two regions.
func TestEveryQuestionOnTwoRegions(t *testing.T) {
	const (
		segments = 4 // three in one region, and one in another
		every    = 1 << segments
	)
	for _, preferred := range orders(segments) {
		if len(preferred) > 1 {
			break
		}
		for requisite := range uint(every) {
			q := question{segments: segments, x: 2, shares: true, preferred: preferred, requisite: subset(requisite)}
			for q.full = range uint(every) {
				compare(t, q)
			}
			q.full = 0
			for q.existing = range uint(every) {
				compare(t, q)
			}
		}
	}
}
