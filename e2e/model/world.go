// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// World is the known state of a driver: its segments and the room in each.
type World struct {
	Places []Place
	// Open says that there may be further segments: not every node is known.
	Open bool
	// Keys are the keys of volumes' topologies, if they are fewer than the nodes'; nil if that is not known.
	Keys []string
	// shown are segments that reduced keeps.
	shown Set
}

// Place is one segment and the room in it.
type Place struct {
	Segment Segment
	Room    Room
}

// Segments returns all segments of the world.
func (w World) Segments() Set {
	all := make(Set, 0, len(w.Places))
	for _, place := range w.Places {
		all = append(all, place.Segment)
	}
	return all
}

// With returns the world with the given room in the segment, which it adds if it is new.
func (w World) With(segment Segment, room Room) World {
	w.Places = slices.Clone(w.Places)
	for i := range w.Places {
		if w.Places[i].Segment.Equal(segment) {
			w.Places[i].Room = room
			return w
		}
	}
	w.Places = append(w.Places, Place{segment, room})
	return w
}

// Seeing returns the world after a volume was answered with these topologies, which show the keys of all volumes.
func (w World) Seeing(answered Set) World {
	keys, alike := answered.sameKeys()
	fewer := func(segment Segment) bool { return segment.Matches(answered[0]) && len(segment) > len(answered[0]) }
	if alike && slices.ContainsFunc(w.Segments(), fewer) {
		w.Keys = keys
	}
	return w
}

// withRoom returns the segments where a volume of that many bytes can be made, as far as is known.
func (w World) withRoom(bytes int64) Set {
	var found Set
	for _, place := range w.Places {
		if !place.Room.lacks(bytes) {
			found = append(found, place.Segment)
		}
	}
	return found
}

// atWorst returns the world in which all segments of unknown room, except the segments of the volume, have no room for the
// given number of bytes. It also returns these segments.
func (w World) atWorst(bytes int64, volume Set) (worst World, unknown Set) {
	inVolume := func(s Segment) bool { return slices.ContainsFunc(volume, s.overlaps) }
	worst = w
	worst.Places = slices.Clone(w.Places)
	for i, place := range w.Places {
		if !place.Room.fits(bytes) && !place.Room.lacks(bytes) && !inVolume(place.Segment) {
			worst.Places[i].Room = NoneFor(bytes)
			unknown = append(unknown, place.Segment)
		}
	}
	return worst, unknown
}

// coarse returns the world as seen by a driver whose topologies have only these keys.
func (w World) coarse(keys []string) World {
	seen := World{Open: w.Open}
	for _, place := range w.Places {
		if !slices.ContainsFunc(keys, func(key string) bool { _, found := place.Segment[key]; return found }) {
			continue
		}
		segment, room := place.Segment.only(keys), place.Room
		for _, other := range seen.Places {
			if other.Segment.Equal(segment) {
				room = room.orMore(other.Room)
			}
		}
		seen = seen.With(segment, room)
	}
	return seen
}

// only returns the segment with only these keys.
func (s Segment) only(keys []string) Segment {
	kept := maps.Clone(s)
	maps.DeleteFunc(kept, func(key, _ string) bool { return !slices.Contains(keys, key) })
	return kept
}

// only returns the segments with only these keys.
func (s Set) only(keys []string) Set {
	kept := make(Set, 0, len(s))
	for _, segment := range s {
		kept = append(kept, segment.only(keys))
	}
	return kept
}

// String lists the segments with the room in each, one on a line, and then the segments of unknown room.
func (w World) String() string {
	var lines, unknown []string
	for _, place := range w.Places {
		if place.Room == (Room{}) {
			unknown = append(unknown, place.Segment.String())
			continue
		}
		lines = append(lines, fmt.Sprintf("    %s: %s", place.Segment, place.Room))
	}
	if w.Open {
		unknown = append(unknown, "segments that no given node reports")
	}
	if len(unknown) > 0 {
		lines = append(lines, "    unknown: "+strings.Join(unknown, "; "))
	}
	return strings.Join(lines, "\n")
}
