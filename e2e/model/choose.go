// SPDX-License-Identifier: Apache-2.0

package model

// choose returns all sets of k of the segments, in the order of the segments.
func choose(segments Set, k int) []Set {
	if k < 0 || k > len(segments) {
		return nil
	}
	if k == 0 {
		return []Set{{}}
	}
	var sets []Set
	for i, first := range segments {
		for _, rest := range choose(segments[i+1:], k-1) {
			sets = append(sets, append(Set{first}, rest...))
		}
	}
	return sets
}
