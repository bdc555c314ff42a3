// SPDX-License-Identifier: Apache-2.0

package pool

import "slices"

// Usable returns the bytes that volumes, each accessible from x segments, can use in some of the segments: the total of
// such volumes, and the size of the largest. rooms holds the bytes left in every known segment; in lists the indices of
// the segments that the volumes are to be accessible from.
//
// A volume needs its bytes x times, so the largest one in a segment is limited by the room of that segment and by the
// x-th largest room of all. The sum over the segments counts a volume once for each of its segments, and is divided
// accordingly. The largest is exact; for x > 1 the total may be less than the best combination of segments would achieve,
// but never more.
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
