package model

import (
	"fmt"
	"strings"
)

// World is what is known of a driver: its segments and the room in each.
type World []Place

// Place is one segment and the room in it.
type Place struct {
	Segment Segment
	// Room is the size in bytes of the largest volume that can still be made there.
	Room int64
}

// Segments are all segments of the world.
func (w World) Segments() Set {
	all := make(Set, 0, len(w))
	for _, place := range w {
		all = append(all, place.Segment)
	}
	return all
}

// withRoom are the segments in which a volume of that many bytes can be made.
func (w World) withRoom(bytes int64) Set {
	var found Set
	for _, place := range w {
		if place.Room >= bytes {
			found = append(found, place.Segment)
		}
	}
	return found
}

// String lists the segments with the room in each, one on a line.
func (w World) String() string {
	places := make([]string, 0, len(w))
	for _, place := range w {
		places = append(places, fmt.Sprintf("    %s: %d bytes", place.Segment, place.Room))
	}
	return strings.Join(places, "\n")
}
