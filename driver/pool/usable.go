// SPDX-License-Identifier: Apache-2.0

package pool

import "slices"

// Usable returns what volumes that are accessible from x segments each can use
// of some of the segments: the bytes of such volumes altogether, and the bytes
// of the largest. rooms are the bytes left in every known segment; in lists the
// indices of those that the volumes shall be accessible from.
//
// A volume needs its bytes x times over, so the largest one that a segment can
// take part in is bounded by its own room and by the x-th largest room of all.
// The sum over the segments has a volume once for each segment it is in, and is
// divided for that.
// The largest is exact; for x > 1 the total may be less than a lucky pairing of
// segments would achieve, never more.
func Usable(rooms []int64, in []int, x int) (total, largest int64) {
	if x < 1 || x > len(rooms) || len(in) == 0 {
		return 0, 0
	}
	sorted := slices.Sorted(slices.Values(rooms))
	bound := sorted[len(sorted)-x]
	for _, i := range in {
		usable := min(rooms[i], bound)
		total += usable
		largest = max(largest, usable)
	}
	return total / int64(min(x, len(in))), largest
}
