// SPDX-License-Identifier: Apache-2.0

package topology

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// OutOfReach is the number of free bytes of a segment that cannot be chosen, however much room it has, because the source
// of a copy is not there or another controller serves it.
const OutOfReach int64 = -1

// NoRoomError reports that a volume or a snapshot cannot be made accessible from the wanted number of segments, because
// the segments that it may be in lack room.
type NoRoomError struct {
	// Bytes is the number of bytes that it takes in each segment, and Wanted the number of segments that it should be
	// accessible from.
	Bytes  int64
	Wanted int
	// Tried lists the segments that were considered, in the order of the attempts, and Free the bytes left in each of them,
	// or OutOfReach.
	Tried []Segment
	Free  []int64
	// Unknown lists the topologies of requisite that no node is in.
	Unknown []Segment
}

func (e *NoRoomError) Error() string {
	if len(e.Tried) == 0 {
		return "no topology segment is known: no node has registered with one yet"
	}
	tried := make([]string, 0, len(e.Tried))
	for i, segment := range e.Tried {
		if e.Free[i] == OutOfReach {
			tried = append(tried, fmt.Sprintf("{%s} is out of reach", segment))
			continue
		}
		tried = append(tried, fmt.Sprintf("{%s} has %d bytes free", segment, e.Free[i]))
	}
	for _, segment := range e.Unknown {
		tried = append(tried, fmt.Sprintf("no node is in {%s}", segment))
	}
	return fmt.Sprintf("%d of the allowed segments with %d bytes free each are needed, and there are not as many: %s",
		e.Wanted, e.Bytes, strings.Join(tried, ", "))
}

// Choose chooses x segments for a volume or a snapshot of the given size, in the spec's order of attempts:
//
//   - the preferred topologies, in order (PF-03),
//   - the rest of requisite (PF-05, TR-11),
//   - any known segment, but only if requisite is not given (PF-06), or has
//     fewer than x; the volume then must be in all of requisite (TR-15, TR-16).
//
// Segments that the request treats alike are ordered by room, the most first, and then by name. Whether a segment has
// room does not depend on the others, so the first x segments with room are the first possible combination in the spec's
// order (PF-11 to PF-14).
//
// free returns the bytes that are left in a segment, or OutOfReach. Choose returns a *NoRoomError if there are not enough
// segments with room (TR-08, TR-12, TR-17).
func Choose(known []Segment, r Requirement, x int, bytes int64, free func(Segment) int64) ([]Segment, error) {
	tries := r.attempts(known, x, free)
	var chosen []Segment
	for _, segment := range tries {
		if len(chosen) < x && free(segment) >= bytes {
			chosen = append(chosen, segment)
		}
	}
	if len(chosen) < x || !r.Met(chosen) {
		noRoom := &NoRoomError{Bytes: bytes, Wanted: x, Tried: tries, Unknown: r.unknown}
		for _, segment := range tries {
			noRoom.Free = append(noRoom.Free, free(segment))
		}
		return nil, noRoom
	}
	return chosen, nil
}

// attempts returns the segments that the volume may be in, each once, in the order to
// try them.
func (r Requirement) attempts(known []Segment, x int, free func(Segment) int64) []Segment {
	groups := slices.Clone(r.preferred)
	groups = append(groups, r.requisite)
	if x > len(r.requisite) && len(r.unknown) == 0 {
		groups = append(groups, known)
	}
	var tries []Segment
	for _, group := range groups {
		tries = append(tries, byRoom(without(group, tries), free)...)
	}
	return tries
}

// byRoom returns the segments in the order of their free bytes, the most first, and of
// their names if these are equal.
func byRoom(segments []Segment, free func(Segment) int64) []Segment {
	type place struct {
		Segment
		free int64
		name string
	}
	places := make([]place, 0, len(segments))
	for _, s := range segments {
		places = append(places, place{s, free(s), s.String()})
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(b.free, a.free), strings.Compare(a.name, b.name))
	})
	sorted := make([]Segment, 0, len(places))
	for _, p := range places {
		sorted = append(sorted, p.Segment)
	}
	return sorted
}
