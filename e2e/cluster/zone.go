package cluster

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// zone is one topology segment of the driver and the nodes in it.
type zone struct {
	name    string
	segment predicate.Segment
	nodes   []node
}

// node is a worker that the driver is registered on.
type node struct {
	name, hostname string
	// id is what the driver calls the node.
	id string
}

func (z zone) String() string { return z.name }

func (z zone) nodeNames() []string {
	names := make([]string, 0, len(z.nodes))
	for _, n := range z.nodes {
		names = append(names, n.name)
	}
	return names
}

// zonesOf groups the nodes that the driver is registered on by the values of its topology
// keys, ordered by segment. Nodes that take no pods are left out. A node without one of the
// target's keys is a mismatch.
func zonesOf(t *Target, nodes []corev1.Node, registered []storagev1.CSINode) ([]zone, error) {
	drivers := map[string]storagev1.CSINodeDriver{}
	for _, csiNode := range registered {
		for _, driver := range csiNode.Spec.Drivers {
			if driver.Name == t.Driver {
				drivers[csiNode.Name] = driver
			}
		}
	}
	var zones []zone
	for _, n := range nodes {
		driver, ok := drivers[n.Name]
		if !ok || n.Spec.Unschedulable {
			continue
		}
		segment := predicate.Segment{}
		for _, key := range driver.TopologyKeys {
			segment[key] = n.Labels[key]
		}
		for _, key := range []string{t.RegionKey, t.ZoneKey} {
			if key != "" && segment[key] == "" {
				return nil, &predicate.Mismatch{
					Subject: "topology of node " + n.Name,
					Wanted:  "the key " + key + " in its CSINode, and a value in its labels",
					Found:   "the keys " + strings.Join(driver.TopologyKeys, ", ") + " in its CSINode, for " + predicate.Canonical(segment),
				}
			}
		}
		member := node{name: n.Name, hostname: n.Labels[corev1.LabelHostname], id: driver.NodeID}
		at := slices.IndexFunc(zones, func(z zone) bool { return predicate.Canonical(z.segment) == predicate.Canonical(segment) })
		if at < 0 {
			at = len(zones)
			zones = append(zones, zone{name: segment[t.ZoneKey], segment: segment})
		}
		zones[at].nodes = append(zones[at].nodes, member)
	}
	slices.SortFunc(zones, func(a, b zone) int {
		return strings.Compare(predicate.Canonical(a.segment), predicate.Canonical(b.segment))
	})
	return zones, nil
}

func segmentsOf(zones ...zone) []predicate.Segment {
	segments := make([]predicate.Segment, 0, len(zones))
	for _, z := range zones {
		segments = append(segments, z.segment)
	}
	return segments
}

func zoneNames(zones ...zone) []string {
	names := make([]string, 0, len(zones))
	for _, z := range zones {
		names = append(names, z.name)
	}
	return names
}
