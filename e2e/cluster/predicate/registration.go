// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// SameTopology requires the driver's entry in the node's CSINode, and the node's labels, to match the driver's
// NodeGetInfo: the same node id, the same keys, the same values.
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

// SaidOfNode returns the topologies in the answers to NodeGetInfo among the calls, oldest first.
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

// NotRegistered requires no entry of the driver in the node's CSINode, and the node's label to have its former value.
func NotRegistered(driver string, registered *storagev1.CSINode, node *corev1.Node, label, value string) error {
	if slices.ContainsFunc(registered.Spec.Drivers, func(entry storagev1.CSINodeDriver) bool { return entry.Name == driver }) {
		return mismatch("drivers in CSINode "+registered.Name, "no entry of "+driver, "one")
	}
	if got := node.Labels[label]; got != value {
		return mismatch("label "+label+" of node "+node.Name, value+", as it was", got)
	}
	return nil
}

// RegisteredAs requires the kubelet to have entered the driver into the CSINode with this node id.
func RegisteredAs(registered *storagev1.CSINode, driver, nodeID string) error {
	for _, d := range registered.Spec.Drivers {
		if d.Name != driver {
			continue
		}
		if d.NodeID != nodeID {
			return mismatch("nodeID of driver "+driver+" in CSINode "+registered.Name, nodeID, d.NodeID)
		}
		return nil
	}
	return mismatch("CSINode "+registered.Name, "an entry of driver "+driver, "none")
}

// Unregistered requires the CSINode to have no entry of the driver.
func Unregistered(registered *storagev1.CSINode, driver string) error {
	for _, d := range registered.Spec.Drivers {
		if d.Name == driver {
			return mismatch("CSINode "+registered.Name, "no entry of driver "+driver, fmt.Sprintf("one with nodeID %s", d.NodeID))
		}
	}
	return nil
}

// RegistrationSaid requires one of the calls of NotifyRegistrationStatus to report that the plugin was registered or, if
// not registered, the last call to report that it was not.
func RegistrationSaid(calls []trace.Call, registered bool) error {
	said := make([]bool, 0, len(calls))
	for _, call := range calls {
		var status struct {
			Registered bool `json:"plugin_registered"`
		}
		if err := json.Unmarshal(call.Request, &status); err != nil {
			return fmt.Errorf("reading the request of %s: %w", call.Method, err)
		}
		said = append(said, status.Registered)
	}
	if registered && slices.Contains(said, true) || !registered && len(said) > 0 && !said[len(said)-1] {
		return nil
	}
	return mismatch("plugin_registered in calls of NotifyRegistrationStatus", fmt.Sprint(registered), fmt.Sprint(said))
}

// nodeIDs is the annotation in which a kubelet stores the drivers' ids of the Node.
const nodeIDs = "csi.volume.kubernetes.io/nodeid"

// NodeKnows requires the annotation of the node to have this id for the driver.
func NodeKnows(node *corev1.Node, driver, nodeID string) error {
	ids, err := idsOf(node)
	if err != nil {
		return err
	}
	if found, has := ids[driver]; found != nodeID {
		return mismatch(nodeIDs+" of node "+node.Name+" for driver "+driver, nodeID, fmt.Sprintf("%q, there: %v", found, has))
	}
	return nil
}

// NodeForgot requires the annotation of the node to have no id for the driver, and the node to have the labels of its
// segment.
func NodeForgot(node *corev1.Node, driver string, segment Segment) error {
	ids, err := idsOf(node)
	if err != nil {
		return err
	}
	if found, has := ids[driver]; has {
		return mismatch(nodeIDs+" of node "+node.Name+" for driver "+driver, "none", found)
	}
	if !Matches(segment, node.Labels) {
		return mismatch("labels of node "+node.Name, Canonical(segment)+", as before", Canonical(node.Labels))
	}
	return nil
}

func idsOf(node *corev1.Node) (map[string]string, error) {
	ids := map[string]string{}
	said := node.Annotations[nodeIDs]
	if said == "" {
		return ids, nil
	}
	if err := json.Unmarshal([]byte(said), &ids); err != nil {
		return nil, mismatch(nodeIDs+" of node "+node.Name, "an object with an id for each driver", said)
	}
	return ids, nil
}
