// SPDX-License-Identifier: Apache-2.0

package model

import "slices"

// Including returns the world with the topologies of an answer that contain no known node but may exist, and the answer
// without the keys of these topologies that no known node reports. A topology that a request made up does not exist, and in
// a world that is not open no unknown topology exists.
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
