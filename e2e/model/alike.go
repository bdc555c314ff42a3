// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"slices"
	"strings"
)

// few is how many segments a world may have before it is reduced.
const few = 12

// reduced returns the world without most of the segments that the request does not tell apart, if there are many: what
// is right for one of them is right for the others, and the number of sets grows with their power. Of those that are
// alike, enough for every set of x stay, and some more.
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

// kindOf returns a text that two places have in common if the request does not tell them apart: their keys, what is known
// of their room, which topologies of the request they meet, and the value that the topologies of such a volume share.
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
