// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/trace"
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

// SaidOfNode are the topologies in the answers to NodeGetInfo among the calls, oldest first.
func SaidOfNode(calls []trace.Call) []Segment {
	var said []Segment
	for _, call := range CallsOf(calls, "NodeGetInfo") {
		var answer struct {
			Topology struct{ Segments Segment } `json:"accessible_topology"`
		}
		if call.Code == codeOK && json.Unmarshal(call.Response, &answer) == nil {
			said = append(said, answer.Topology.Segments)
		}
	}
	return said
}

// NotRegistered wants no entry of the driver in the node's CSINode, and the node's label to say what it said before.
func NotRegistered(driver string, registered *storagev1.CSINode, node *corev1.Node, label, value string) error {
	if slices.ContainsFunc(registered.Spec.Drivers, func(entry storagev1.CSINodeDriver) bool { return entry.Name == driver }) {
		return mismatch("drivers in CSINode "+registered.Name, "no entry of "+driver, "one")
	}
	if got := node.Labels[label]; got != value {
		return mismatch("label "+label+" of node "+node.Name, value+", as it was", got)
	}
	return nil
}
