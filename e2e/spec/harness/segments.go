// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"maps"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// segmentsKnown returns the segments that the nodes report, and the segments that the profile declares, sorted by name, each
// once. If there are none, it returns the segments that were learnt from volumes.
func segmentsKnown(d *Driver) model.Set {
	known := map[string]model.Segment{} // by name
	add := func(segment model.Segment) {
		if len(segment) > 0 {
			known[segment.String()] = segment
		}
	}
	if !d.Room.Constrained {
		return nil
	}
	for _, node := range d.Nodes {
		add(node.Segment)
	}
	for _, declared := range d.Profile().Segments {
		add(declared)
	}
	for _, kind := range d.Profile().Volumes {
		for _, declared := range kind.Segments {
			add(declared)
		}
	}
	if len(known) == 0 {
		for _, segment := range d.claims.learnt {
			add(segment)
		}
	}
	var segments model.Set
	for _, name := range slices.Sorted(maps.Keys(known)) {
		segments = append(segments, known[name])
	}
	return segments
}
