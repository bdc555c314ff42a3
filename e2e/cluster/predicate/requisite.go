// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// AskedWithin requires a list of a TopologyRequirement to have only topologies within this segment, which may have fewer
// keys.
func AskedWithin(list string, found []*csi.Topology, allowed Segment) error {
	beyond := func(t *csi.Topology) bool { return !Matches(allowed, t.GetSegments()) }
	if len(found) == 0 || slices.ContainsFunc(found, beyond) {
		return finalMismatch(list+" of the request", "topologies of "+Canonical(allowed)+" alone", asList(canonicals(found)))
	}
	return nil
}

// AskedForEach requires a list of a TopologyRequirement to have the segment of each of these nodes, and only topologies of
// the nodes.
func AskedForEach(list string, found []*csi.Topology, nodes ...Segment) error {
	asked := canonicals(found)
	complete := !slices.ContainsFunc(nodes, func(node Segment) bool { return !slices.Contains(asked, Canonical(node)) })
	nowhere := slices.ContainsFunc(found, func(t *csi.Topology) bool {
		return !slices.ContainsFunc(nodes, func(node Segment) bool { return Matches(t.GetSegments(), node) })
	})
	if !complete || nowhere {
		return finalMismatch(list+" of the request", "each of "+asList(canonicalNames(nodes))+", and none that no node is in", asList(asked))
	}
	return nil
}

func asList(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, "; ")
}
