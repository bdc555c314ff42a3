// SPDX-License-Identifier: Apache-2.0

package model

import "fmt"

// Room describes the largest volume that can still be created in a segment, as far as it is known. The zero Room belongs to
// a driver that does not report room.
type Room struct {
	// least and most are bounds in bytes, where they are known: a volume of least bytes can be made, and one of more than
	// most bytes cannot.
	least, most           int64
	knowsLeast, knowsMost bool
	// outOfReach says that there is no room because a source does not reach the segment.
	outOfReach bool
}

// Exactly returns room for volumes of up to the given number of bytes.
func Exactly(bytes int64) Room {
	return Room{least: bytes, most: bytes, knowsLeast: true, knowsMost: true}
}

// AtLeast returns room for volumes of up to the given number of bytes, and perhaps for larger ones.
func AtLeast(bytes int64) Room {
	return Room{least: bytes, knowsLeast: true}
}

// NoneFor returns the room in a segment where a volume of the given number of bytes cannot be made; a smaller one
// perhaps can.
func NoneFor(bytes int64) Room {
	return Room{most: bytes - 1, knowsMost: true}
}

// OutOfReach returns the room in a segment where no volume can be made of a source, however much room there is.
func OutOfReach() Room {
	return Room{knowsMost: true, outOfReach: true}
}

// fits reports whether a volume of that many bytes can certainly be made.
func (r Room) fits(bytes int64) bool { return r.knowsLeast && r.least >= bytes }

// lacks reports whether a volume of that many bytes certainly cannot be made.
func (r Room) lacks(bytes int64) bool { return r.knowsMost && r.most < bytes }

// orMore returns the room of two segments together, for a volume that may be in either.
func (r Room) orMore(other Room) Room {
	both := Room{knowsMost: r.knowsMost && other.knowsMost, most: max(r.most, other.most)}
	for _, room := range []Room{r, other} {
		if room.knowsLeast {
			both.least, both.knowsLeast = max(both.least, room.least), true
		}
	}
	return both
}

// String returns the room in words.
func (r Room) String() string {
	switch {
	case r.outOfReach:
		return "perhaps out of the source's reach"
	case r.knowsLeast && r.knowsMost:
		return fmt.Sprintf("%d bytes", r.least)
	case r.knowsLeast:
		return fmt.Sprintf("at least %d bytes", r.least)
	case r.knowsMost:
		return fmt.Sprintf("less than %d bytes, which were refused", r.most+1)
	default:
		return "unknown"
	}
}
