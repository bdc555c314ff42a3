// SPDX-License-Identifier: Apache-2.0

package service

import (
	"maps"
	"slices"

	"github.com/csi-topo/csi-topo/driver/topology"
)

// Inventory gives the controller the nodes of the cluster, and the topology segment of each. It may change from call to
// call.
type Inventory interface {
	// Segments returns every known segment once, ordered by String.
	Segments() []topology.Segment
	// SegmentOf returns the segment of the node with the id, and whether the node exists.
	SegmentOf(nodeID string) (topology.Segment, bool)
}

// FixedInventory is an Inventory of nodes that never change: segments by node id.
type FixedInventory map[string]topology.Segment

// Segments implements Inventory.
func (f FixedInventory) Segments() []topology.Segment {
	byName := make(map[string]topology.Segment, len(f))
	for _, segment := range f {
		byName[segment.String()] = segment
	}
	segments := make([]topology.Segment, 0, len(byName))
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		segments = append(segments, byName[name])
	}
	return segments
}

// SegmentOf implements Inventory.
func (f FixedInventory) SegmentOf(nodeID string) (topology.Segment, bool) {
	segment, found := f[nodeID]
	return segment, found
}
