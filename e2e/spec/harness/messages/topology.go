// SPDX-License-Identifier: Apache-2.0

package messages

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// Topologies converts segments to topologies of CSI messages, and Segments converts
// them back.
func Topologies(segments model.Set) []*csi.Topology {
	var topologies []*csi.Topology
	for _, segment := range segments {
		topologies = append(topologies, &csi.Topology{Segments: segment})
	}
	return topologies
}

// Segments converts the topologies of a CSI message to segments of the oracle.
func Segments(topologies []*csi.Topology) model.Set {
	var segments model.Set
	for _, topology := range topologies {
		segments = append(segments, topology.GetSegments())
	}
	return segments
}

// Within reports whether the segment is in one of the topologies.
func Within(topology []*csi.Topology, segment model.Segment) bool {
	for _, term := range topology {
		if segment.Matches(term.GetSegments()) {
			return true
		}
	}
	return false
}
