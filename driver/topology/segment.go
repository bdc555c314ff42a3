// SPDX-License-Identifier: Apache-2.0

// Package topology determines where a volume is accessible from: segments, requirements, and the choice of segments. It
// does no I/O and does not know requests or services; its caller provides the room of each segment.
package topology

import (
	"maps"
	"slices"
	"strings"
)

// The topology keys of the driver. Each node plugin reports them in NodeGetInfo
// and each volume in its accessible_topology; all have the same prefix (TO-06).
const (
	RegionKey = "topology.hostpath.topo.csi/region"
	ZoneKey   = "topology.hostpath.topo.csi/zone"
	// NodeKey is reported only in node-local mode.
	NodeKey = "topology.hostpath.topo.csi/node"
)

// Segment is one place in the cluster: for each topological domain (a key such as "topology.hostpath.topo.csi/zone") a
// segment (a value such as "Z2"). Keys are compared without regard to case, values with it (TO-07).
type Segment map[string]string

// String returns the segment's canonical name, "key=value,key=value" in the order of the keys: equal segments of one
// driver have the same name.
func (s Segment) String() string {
	parts := make([]string, 0, len(s))
	for _, key := range slices.Sorted(maps.Keys(s)) {
		parts = append(parts, key+"="+s[key])
	}
	return strings.Join(parts, ",")
}

// Equal reports whether both have the same keys and values.
func (s Segment) Equal(other Segment) bool {
	return len(s) == len(other) && s.Matches(other)
}

// Matches reports whether the segment has every key and value of wanted, which may name
// only some of the segment's keys: every segment of region R1 matches {region: R1}.
func (s Segment) Matches(wanted map[string]string) bool {
	for key, value := range wanted {
		if found, ok := s.value(key); !ok || found != value {
			return false
		}
	}
	return true
}

func (s Segment) value(key string) (string, bool) {
	if value, ok := s[key]; ok {
		return value, true
	}
	for known, value := range s {
		if strings.EqualFold(known, key) {
			return value, true
		}
	}
	return "", false
}
