// SPDX-License-Identifier: Apache-2.0

package topology

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
)

const (
	regionKey = "topology.hostpath.topo.csi/region"
	zoneKey   = "topology.hostpath.topo.csi/zone"
)

func labelledNode(name, zone string) corev1.Node {
	n := corev1.Node{}
	n.Name = name
	n.Labels = map[string]string{regionKey: "R1", zoneKey: zone, corev1.LabelHostname: name}
	return n
}

func registeredOn(name, driver string) storagev1.CSINode {
	n := storagev1.CSINode{}
	n.Name = name
	n.Spec.Drivers = []storagev1.CSINodeDriver{{Name: driver, NodeID: "id-" + name, TopologyKeys: []string{regionKey, zoneKey}}}
	return n
}

func TestZonesOf(t *testing.T) {
	const driver = "hostpath.topo.csi"
	cordoned := labelledNode("w9", "Z2")
	cordoned.Spec.Unschedulable = true
	tests := []struct {
		name       string
		nodes      []corev1.Node
		registered []storagev1.CSINode
		want       map[string][]string // zone name to nodes
		cordoned   bool
		wantError  string
	}{
		{
			name:       "nodes of a segment together, segments in order",
			nodes:      []corev1.Node{labelledNode("w3", "Z3"), labelledNode("w1", "Z2"), labelledNode("w2", "Z2")},
			registered: []storagev1.CSINode{registeredOn("w1", driver), registeredOn("w2", driver), registeredOn("w3", driver)},
			want:       map[string][]string{"Z2": {"w1", "w2"}, "Z3": {"w3"}},
		},
		{
			name:       "a node without the driver is left out",
			nodes:      []corev1.Node{labelledNode("w1", "Z2"), labelledNode("control-plane", "Z2")},
			registered: []storagev1.CSINode{registeredOn("w1", driver), registeredOn("control-plane", "other.csi")},
			want:       map[string][]string{"Z2": {"w1"}},
		},
		{
			name:       "a cordoned node is left out",
			cordoned:   true,
			nodes:      []corev1.Node{labelledNode("w1", "Z2"), cordoned},
			registered: []storagev1.CSINode{registeredOn("w1", driver), registeredOn("w9", driver)},
			want:       map[string][]string{"Z2": {"w1"}},
		},
		{
			name:       "a node whose driver does not report the zone",
			nodes:      []corev1.Node{labelledNode("w1", "")},
			registered: []storagev1.CSINode{registeredOn("w1", driver)},
			wantError:  "topology of node w1:\n  wanted the key " + zoneKey,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			zones, all, err := Zones(driver, regionKey, zoneKey, test.nodes, test.registered)
			if test.wantError != "" {
				if err == nil || !strings.Contains(err.Error(), test.wantError) {
					t.Fatalf("error %v, wanted %q", err, test.wantError)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := len(all) > 0 && slices.Contains(all[0].NodeNames(), cordoned.Name); got != test.cordoned {
				t.Errorf("all segments %v, want the cordoned node among them: %t", all, test.cordoned)
			}
			got := map[string][]string{}
			for i, z := range zones {
				got[z.Name] = z.NodeNames()
				if i > 0 && zones[i-1].Name >= z.Name {
					t.Errorf("zone %s comes after %s", z.Name, zones[i-1].Name)
				}
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("zones %v, wanted %v", got, test.want)
			}
		})
	}
}
