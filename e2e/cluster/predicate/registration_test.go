// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

func TestSaidOfNode(t *testing.T) {
	got := SaidOfNode([]trace.Call{
		{Method: "/csi.v1.Node/NodeGetCapabilities", Code: "OK", Response: []byte(`{}`)},
		{Method: "/csi.v1.Node/NodeGetInfo", Code: "UNAVAILABLE"},
		{Method: "/csi.v1.Node/NodeGetInfo", Code: "OK", Response: []byte(`{"node_id":"w1","accessible_topology":{"segments":{"zone":"Z2"}}}`)},
	})
	if len(got) != 1 || got[0]["zone"] != "Z2" {
		t.Errorf("got %v, want zone Z2 once", got)
	}
}

func TestNotRegistered(t *testing.T) {
	node, registered := &corev1.Node{}, &storagev1.CSINode{}
	node.Labels = map[string]string{"zone": "elsewhere"}
	registered.Spec.Drivers = []storagev1.CSINodeDriver{{Name: "other.example.com"}}
	wantVerdict(t, NotRegistered("driver.example.com", registered, node, "zone", "elsewhere"), satisfied)
	wantVerdict(t, NotRegistered("driver.example.com", registered, node, "zone", "Z2"), differs, "Z2", "elsewhere")
	wantVerdict(t, NotRegistered("other.example.com", registered, node, "zone", "elsewhere"), differs, "other.example.com")
}
