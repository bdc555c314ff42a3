// SPDX-License-Identifier: Apache-2.0

// Package topology has the driver's zones and their nodes, from the cluster's nodes and CSINodes.
package topology

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// Zone is one topology segment of the driver and the nodes in it.
type Zone struct {
	// Name is the value of the zone key.
	Name    string
	Segment predicate.Segment
	Nodes   []Node
}

// Node is a worker that the driver is registered on.
type Node struct {
	Name, Hostname string
	// ID is the driver's id of the node.
	ID string
}

func (z Zone) String() string { return z.Name }

// NodeNames returns the names of the zone's nodes.
func (z Zone) NodeNames() []string { return NodeNames(z.Nodes...) }

// NodeNames returns the names of the nodes.
func NodeNames(nodes ...Node) []string {
	names := make([]string, 0, len(nodes))
	for _, n := range nodes {
		names = append(names, n.Name)
	}
	return names
}

// Zones groups the nodes that the driver is registered on by the values of its topology keys, ordered by segment. Nodes
// that accept no pods are only in all. A node without one of the keys is a mismatch.
func Zones(driverName, regionKey, zoneKey string, nodes []corev1.Node, registered []storagev1.CSINode) (zones, all []Zone, err error) {
	drivers := map[string]storagev1.CSINodeDriver{}
	for _, csiNode := range registered {
		for _, driver := range csiNode.Spec.Drivers {
			if driver.Name == driverName {
				drivers[csiNode.Name] = driver
			}
		}
	}
	for _, n := range nodes {
		driver, ok := drivers[n.Name]
		if !ok {
			continue
		}
		segment := predicate.Segment{}
		for _, key := range driver.TopologyKeys {
			segment[key] = n.Labels[key]
		}
		for _, key := range []string{regionKey, zoneKey} {
			if key != "" && segment[key] == "" {
				return nil, nil, &predicate.Mismatch{
					Subject: "topology of node " + n.Name,
					Wanted:  "the key " + key + " in its CSINode, and a value in its labels",
					Found:   "the keys " + strings.Join(driver.TopologyKeys, ", ") + " in its CSINode, for " + predicate.Canonical(segment),
				}
			}
		}
		member := Node{Name: n.Name, Hostname: n.Labels[corev1.LabelHostname], ID: driver.NodeID}
		all = join(all, zoneKey, segment, member)
		if !n.Spec.Unschedulable {
			zones = join(zones, zoneKey, segment, member)
		}
	}
	for _, list := range [][]Zone{zones, all} {
		slices.SortFunc(list, func(a, b Zone) int { return predicate.CompareSegments(a.Segment, b.Segment) })
	}
	return zones, all, nil
}

// join adds the node to the zone of its segment, which it adds for the first node.
func join(zones []Zone, zoneKey string, segment predicate.Segment, member Node) []Zone {
	at := slices.IndexFunc(zones, func(z Zone) bool { return predicate.Canonical(z.Segment) == predicate.Canonical(segment) })
	if at < 0 {
		at = len(zones)
		zones = append(zones, Zone{Name: segment[zoneKey], Segment: segment})
	}
	zones[at].Nodes = append(zones[at].Nodes, member)
	return zones
}

// SegmentsOf returns the segments of the zones.
func SegmentsOf(zones ...Zone) []predicate.Segment {
	segments := make([]predicate.Segment, 0, len(zones))
	for _, z := range zones {
		segments = append(segments, z.Segment)
	}
	return segments
}

// ZoneNames returns the names of the zones.
func ZoneNames(zones ...Zone) []string {
	names := make([]string, 0, len(zones))
	for _, z := range zones {
		names = append(names, z.Name)
	}
	return names
}

// NeighboursOf returns n of the zones that differ only in the value of the zone key, and nil if there are fewer.
func NeighboursOf(zones []Zone, zoneKey string, n int) []Zone {
	byRegion := map[string][]Zone{}
	for _, z := range zones {
		rest := maps.Clone(z.Segment)
		delete(rest, zoneKey)
		region := predicate.Canonical(rest)
		if byRegion[region] = append(byRegion[region], z); len(byRegion[region]) == n {
			return byRegion[region]
		}
	}
	return nil
}

// AllBut returns the zones except this one.
func AllBut(zones []Zone, excepted Zone) []Zone {
	return slices.DeleteFunc(slices.Clone(zones), func(z Zone) bool {
		return predicate.Canonical(z.Segment) == predicate.Canonical(excepted.Segment)
	})
}

// WithNodes returns one of the zones with at least n nodes, and the zero Zone if there is none.
func WithNodes(zones []Zone, n int) Zone {
	for _, z := range zones {
		if len(z.Nodes) >= n {
			return z
		}
	}
	return Zone{}
}

// Smallest returns a zone with the fewest nodes.
func Smallest(zones []Zone) Zone {
	return slices.MinFunc(zones, func(a, b Zone) int { return len(a.Nodes) - len(b.Nodes) })
}
