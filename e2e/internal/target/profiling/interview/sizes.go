// SPDX-License-Identifier: Apache-2.0

package interview

import "slices"

// dozens is the number of volumes that a segment should have room for.
const dozens = 32

// Sizes returns sizes of volumes to try, in bytes, the best first: large enough for a file system, small enough for a
// segment to have dozens of them and for a volume to double in size, and within the limits that GetCapacity reports for
// one volume.
func Sizes(rooms []Room) []int64 {
	const mebi, gibi = 1 << 20, 1 << 30
	usual := []int64{gibi, 256 * mebi, 64 * mebi, 16 * mebi, 4 * mebi, mebi}
	larger := []int64{10 * gibi, 100 * gibi} // the minimum of many cloud disks
	var room, smallest, largest int64
	for _, told := range rooms {
		if told.Refused != "" || told.Available == 0 {
			continue
		}
		if room == 0 || told.Available < room {
			room = told.Available
		}
		smallest = max(smallest, told.Smallest)
		if told.Largest > 0 && (largest == 0 || told.Largest < largest) {
			largest = told.Largest
		}
	}
	possible := append(usual, larger...)
	if smallest > 0 && !slices.Contains(possible, smallest) {
		possible = append(possible, smallest)
	}
	possible = slices.DeleteFunc(possible, func(size int64) bool {
		return size < smallest || largest > 0 && size > largest || room > 0 && size > room
	})
	fits := func(size int64) bool {
		return (largest == 0 || 2*size <= largest) && (room == 0 || dozens*size <= room)
	}
	fitting := slices.DeleteFunc(slices.Clone(possible), func(size int64) bool { return !fits(size) })
	tight := slices.DeleteFunc(possible, fits)
	slices.Sort(tight) // the smallest leaves the most room
	if len(fitting)+len(tight) == 0 {
		return []int64{max(mebi, smallest)} // although there is no room for it now
	}
	return append(fitting, tight...)
}
