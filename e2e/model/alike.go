// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"slices"
	"strings"
)

// few is the largest number of segments of a world that is not reduced.
const few = 12

// reduced returns the world without most of the segments that the request does not distinguish, if there are many: an answer
// that is right for one of them is right for the others, and the number of sets grows quickly with their number. Of
// equivalent segments, enough for every set of x stay, and some more.
func (w World) reduced(r Request) World {
	if len(w.Places) <= few || r.Everywhere {
		return w
	}
	const more = 2
	names, alike := map[string]bool{}, map[string]int{}
	for _, segment := range w.shown {
		names[segment.String()] = true
	}
	places := w.Places
	w.Places = nil
	for _, place := range places {
		kind := r.kindOf(place)
		if alike[kind]++; alike[kind] <= max(r.X, 1)+more || len(names) > 0 && names[place.Segment.String()] {
			w.Places = append(w.Places, place)
		}
	}
	return w
}

// kindOf returns a text that is the same for places that the request does not distinguish: their keys, their known room, the
// topologies of the request that they meet, and the value of the Sharing key.
func (r Request) kindOf(place Place) string {
	var kind strings.Builder
	fmt.Fprintf(&kind, "%+v", place.Room)
	keys := Set{place.Segment}.keys()
	slices.Sort(keys)
	for _, key := range keys {
		kind.WriteString("," + key)
	}
	if shared, found := place.Segment.value(r.Sharing); found {
		kind.WriteString("=" + shared)
	}
	for _, terms := range []Set{r.Requisite, r.Preferred} {
		for i, term := range terms {
			switch {
			case place.Segment.meets(term):
				fmt.Fprintf(&kind, ",%d", i)
			case place.Segment.meetsLoosely(term):
				fmt.Fprintf(&kind, ",(%d)", i)
			}
		}
		kind.WriteString(";")
	}
	return kind.String()
}
