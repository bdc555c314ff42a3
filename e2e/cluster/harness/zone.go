// SPDX-License-Identifier: Apache-2.0

package harness

import (
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
	// ID is what the driver calls the node.
	ID string
}

func (z Zone) String() string { return z.Name }

// NodeNames are the names of the zone's nodes.
func (z Zone) NodeNames() []string { return NodeNames(z.Nodes...) }

// NodeNames are the names of the nodes.
func NodeNames(nodes ...Node) []string {
	names := make([]string, 0, len(nodes))
	for _, n := range nodes {
		names = append(names, n.Name)
	}
	return names
}

// zonesOf groups the nodes that the driver is registered on by the values of its topology
// keys, ordered by segment. Nodes that take no pods are in the second result alone. A node
// without one of the target's keys is a mismatch.
func zonesOf(t *Target, nodes []corev1.Node, registered []storagev1.CSINode) (zones, all []Zone, err error) {
	drivers := map[string]storagev1.CSINodeDriver{}
	for _, csiNode := range registered {
		for _, driver := range csiNode.Spec.Drivers {
			if driver.Name == t.Driver {
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
		for _, key := range []string{t.RegionKey, t.ZoneKey} {
			if key != "" && segment[key] == "" {
				return nil, nil, &predicate.Mismatch{
					Subject: "topology of node " + n.Name,
					Wanted:  "the key " + key + " in its CSINode, and a value in its labels",
					Found:   "the keys " + strings.Join(driver.TopologyKeys, ", ") + " in its CSINode, for " + predicate.Canonical(segment),
				}
			}
		}
		member := Node{Name: n.Name, Hostname: n.Labels[corev1.LabelHostname], ID: driver.NodeID}
		all = join(all, t.ZoneKey, segment, member)
		if !n.Spec.Unschedulable {
			zones = join(zones, t.ZoneKey, segment, member)
		}
	}
	for _, list := range [][]Zone{zones, all} {
		slices.SortFunc(list, func(a, b Zone) int { return predicate.CompareSegments(a.Segment, b.Segment) })
	}
	return zones, all, nil
}

// join adds the node to the zone of its segment, which is added if it is the first there.
func join(zones []Zone, zoneKey string, segment predicate.Segment, member Node) []Zone {
	at := slices.IndexFunc(zones, func(z Zone) bool { return predicate.Canonical(z.Segment) == predicate.Canonical(segment) })
	if at < 0 {
		at = len(zones)
		zones = append(zones, Zone{Name: segment[zoneKey], Segment: segment})
	}
	zones[at].Nodes = append(zones[at].Nodes, member)
	return zones
}

// SegmentsOf are the segments of the zones.
func SegmentsOf(zones ...Zone) []predicate.Segment {
	segments := make([]predicate.Segment, 0, len(zones))
	for _, z := range zones {
		segments = append(segments, z.Segment)
	}
	return segments
}

// ZoneNames are the names of the zones.
func ZoneNames(zones ...Zone) []string {
	names := make([]string, 0, len(zones))
	for _, z := range zones {
		names = append(names, z.Name)
	}
	return names
}
