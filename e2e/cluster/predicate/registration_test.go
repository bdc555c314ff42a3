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

func TestRegisteredAs(t *testing.T) {
	registered := &storagev1.CSINode{}
	registered.Spec.Drivers = []storagev1.CSINodeDriver{{Name: "other.csi", NodeID: "x"}, {Name: "some.csi", NodeID: "w1"}}
	wantVerdict(t, RegisteredAs(registered, "some.csi", "w1"), satisfied)
	wantVerdict(t, RegisteredAs(registered, "some.csi", "w2"), differs, "w1")
	wantVerdict(t, RegisteredAs(registered, "absent.csi", "w1"), differs)
	wantVerdict(t, Unregistered(registered, "some.csi"), differs)
	wantVerdict(t, Unregistered(registered, "absent.csi"), satisfied)
}

func TestRegistrationSaid(t *testing.T) {
	said := func(request string) trace.Call {
		return trace.Call{Method: "/pluginregistration.Registration/NotifyRegistrationStatus", Request: []byte(request)}
	}
	yes, no := said(`{"plugin_registered":true}`), said(`{"error":"no"}`)
	wantVerdict(t, RegistrationSaid(nil, true), differs)
	wantVerdict(t, RegistrationSaid(nil, false), differs)
	wantVerdict(t, RegistrationSaid(calls(no, yes), true), satisfied)
	wantVerdict(t, RegistrationSaid(calls(no), true), differs)
	wantVerdict(t, RegistrationSaid(calls(no), false), satisfied)
	wantVerdict(t, RegistrationSaid(calls(no, yes), false), differs)
}

func TestNodeKnows(t *testing.T) {
	node := &corev1.Node{}
	node.Labels = map[string]string{"zone": "Z2"}
	segment := Segment{"zone": "Z2"}
	wantVerdict(t, NodeKnows(node, "some.csi", "w1"), differs)
	wantVerdict(t, NodeForgot(node, "some.csi", segment), satisfied)
	node.Annotations = map[string]string{"csi.volume.kubernetes.io/nodeid": `{"some.csi":"w1"}`}
	wantVerdict(t, NodeKnows(node, "some.csi", "w1"), satisfied)
	wantVerdict(t, NodeKnows(node, "some.csi", "w2"), differs, "w1")
	wantVerdict(t, NodeForgot(node, "some.csi", segment), differs, "w1")
	wantVerdict(t, NodeForgot(node, "other.csi", segment), satisfied)
	wantVerdict(t, NodeForgot(node, "other.csi", Segment{"zone": "Z3"}), differs, "as before")
	node.Annotations["csi.volume.kubernetes.io/nodeid"] = "w1"
	wantVerdict(t, NodeKnows(node, "some.csi", "w1"), differs)
}
