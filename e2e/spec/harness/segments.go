// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// segmentsKnown returns the segments that the nodes report, and the segments that the profile declares, sorted by name,
// each once. If there are none, it returns the segments that volumes showed.
func segmentsKnown(d *Driver) model.Set {
	var segments model.Set
	add := func(segment model.Segment) {
		if len(segment) > 0 && !segments.Contains(segment) {
			segments = append(segments, segment)
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
	if len(segments) == 0 {
		segments = slices.Clone(d.claims.learnt)
	}
	slices.SortFunc(segments, func(a, b model.Segment) int { return strings.Compare(a.String(), b.String()) })
	return segments
}
