package predicate

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
)

// SameTopology wants the driver's entry in the node's CSINode, and the node's labels, to
// say what the driver's NodeGetInfo says: the same node id, the same keys, the same values.
func SameTopology(driver string, registered *storagev1.CSINode, node *corev1.Node, nodeID string, segment Segment) error {
	at := slices.IndexFunc(registered.Spec.Drivers, func(entry storagev1.CSINodeDriver) bool { return entry.Name == driver })
	if at < 0 {
		return mismatch("drivers in CSINode "+registered.Name, driver, "no such entry")
	}
	entry := registered.Spec.Drivers[at]
	if entry.NodeID != nodeID {
		return mismatch("nodeID in CSINode "+registered.Name, nodeID+" (NodeGetInfo)", entry.NodeID)
	}
	wanted := strings.Join(slices.Sorted(maps.Keys(segment)), ", ")
	if found := strings.Join(slices.Sorted(slices.Values(entry.TopologyKeys)), ", "); found != wanted {
		return mismatch("topologyKeys in CSINode "+registered.Name, wanted+" (NodeGetInfo)", found)
	}
	if !Matches(segment, node.Labels) {
		labels := Segment{}
		for key := range segment {
			labels[key] = node.Labels[key]
		}
		return mismatch("labels of node "+node.Name, Canonical(segment)+" (NodeGetInfo)", Canonical(labels))
	}
	return nil
}
