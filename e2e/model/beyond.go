// SPDX-License-Identifier: Apache-2.0

package model

import "slices"

// Including returns the world with the topologies of an answer that no known node is in and that may exist all the
// same, and the answer as known nodes see it, without the keys that none of them reports. A topology that a request
// made up does not exist, and in a world that is not open no other does either.
func (w World) Including(answered, madeUp Set) (World, Set) {
	var seen Set
	known := w.Segments()
	keys := known.keys()
	for _, topology := range answered {
		covers := func(segment Segment) bool { return segment.Matches(topology) }
		if !w.Open || madeUp.Contains(topology) || known.containsKeyFold(topology) || slices.ContainsFunc(known, covers) {
			seen = append(seen, topology)
			continue
		}
		if stripped := topology.only(keys); len(known) > 0 && len(stripped) < len(topology) {
			topology = stripped
			if len(topology) == 0 || seen.Contains(topology) {
				continue
			}
		}
		seen = append(seen, topology)
		if !slices.ContainsFunc(w.Segments(), covers) && !w.Segments().Contains(topology) {
			w = w.With(topology, Room{})
		}
	}
	return w, seen
}
