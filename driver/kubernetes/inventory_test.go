// SPDX-License-Identifier: Apache-2.0

package kubernetes

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	k8stesting "k8s.io/client-go/testing"

	"github.com/csi-topo/csi-topo/driver/topology"
)

// nodeIn returns a node with the labels of the region and the zone; "" means no label.
func nodeIn(name, region, zone string) *corev1.Node {
	labels := map[string]string{}
	if region != "" {
		labels[corev1.LabelTopologyRegion] = region
	}
	if zone != "" {
		labels[corev1.LabelTopologyZone] = zone
	}
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
}

func segment(region, zone string) topology.Segment {
	return topology.Segment{topology.RegionKey: region, topology.ZoneKey: zone}
}

func TestInventory(t *testing.T) {
	client := fake.NewClientset(
		nodeIn("control-plane", "", ""),
		nodeIn("d", "R1", "Z5"),
		nodeIn("a", "R1", "Z2"),
		nodeIn("b", "R1", "Z2"),
		nodeIn("c", "R1", "Z3"),
		nodeIn("only-zone", "", "Z9"),
	)
	watched := watchOfNodes(client)
	inventory, err := NewInventory(t.Context(), client)
	if err != nil {
		t.Fatal(err)
	}

	t.Run("names each segment once, in order", func(t *testing.T) {
		want := []topology.Segment{segment("R1", "Z2"), segment("R1", "Z3"), segment("R1", "Z5")}
		wantSegments(t, inventory, want)
	})

	for _, test := range []struct {
		name string
		node string
		want topology.Segment // nil means none
	}{
		{name: "a node with both labels has a segment", node: "b", want: segment("R1", "Z2")},
		{name: "a node without labels has none", node: "control-plane"},
		{name: "a node with one label has none", node: "only-zone"},
		{name: "an unknown node has none", node: "nobody"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, found := inventory.SegmentOf(test.node)
			if found != (test.want != nil) || !got.Equal(test.want) {
				t.Errorf("SegmentOf(%q) = %v, %t, want %v", test.node, got, found, test.want)
			}
		})
	}

	t.Run("follows the cluster", func(t *testing.T) {
		<-watched
		nodes := client.CoreV1().Nodes()
		if _, err := nodes.Create(t.Context(), nodeIn("e", "R1", "Z4"), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := nodes.Delete(t.Context(), "d", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := nodes.Update(t.Context(), nodeIn("c", "R2", "Z3"), metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		wantSegments(t, inventory, []topology.Segment{segment("R1", "Z2"), segment("R1", "Z4"), segment("R2", "Z3")})
	})
}

// watchOfNodes returns a channel that is closed when the client watches nodes. Unlike an API server, the fake one does
// not report deletions between a list and the following watch.
func watchOfNodes(client *fake.Clientset) <-chan struct{} {
	watched := make(chan struct{})
	begun := sync.OnceFunc(func() { close(watched) })
	client.PrependWatchReactor("nodes", func(action k8stesting.Action) (bool, watch.Interface, error) {
		defer begun()
		var options metav1.ListOptions
		if asked, is := action.(k8stesting.WatchActionImpl); is {
			options = asked.ListOptions
		}
		nodes, err := client.Tracker().Watch(action.GetResource(), action.GetNamespace(), options)
		return true, nodes, err
	})
	return watched
}

// wantSegments waits until the inventory, which follows the cluster with a delay, has the segments.
func wantSegments(t *testing.T, inventory *Inventory, want []topology.Segment) {
	t.Helper()
	var got []topology.Segment
	err := wait.PollUntilContextTimeout(t.Context(), 5*time.Millisecond, 10*time.Second, true, func(context.Context) (bool, error) {
		got = inventory.Segments()
		if len(got) != len(want) {
			return false, nil
		}
		for i := range got {
			if !got[i].Equal(want[i]) {
				return false, nil
			}
		}
		return true, nil
	})
	if err != nil {
		t.Errorf("the inventory has %v, want %v: %v", got, want, err)
	}
}

func TestNewInventoryEndsWithItsContext(t *testing.T) {
	client := fake.NewClientset()
	client.PrependReactor("list", "nodes", func(k8stesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewForbidden(corev1.Resource("nodes"), "", nil)
	})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := NewInventory(ctx, client); err == nil || !strings.Contains(err.Error(), "listing the nodes") {
		t.Errorf("an API server that refuses gave %v, want an error", err)
	}
}

func TestOwnSegment(t *testing.T) {
	for _, test := range []struct {
		name    string
		given   *corev1.Node
		want    topology.Segment
		wantErr []string // each in the error
	}{
		{name: "reads the labels", given: nodeIn("n", "R1", "Z4"), want: segment("R1", "Z4")},
		{name: "names the labels that a node lacks", given: nodeIn("n", "R1", ""), wantErr: []string{"node n", "topology.kubernetes.io/zone", `"R1" and ""`}},
		{name: "does not wait for a node that is not there", given: nodeIn("other", "R1", "Z4"), wantErr: []string{"node n", "not found"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := OwnSegment(t.Context(), fake.NewClientset(test.given), "n")
			for _, part := range test.wantErr {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("the error is %v, want %q in it", err, part)
				}
			}
			if test.wantErr == nil && err != nil {
				t.Errorf("the error is %v, want none", err)
			}
			if !got.Equal(test.want) {
				t.Errorf("the segment is %v, want %v", got, test.want)
			}
		})
	}

	t.Run("waits for an API server that is out of reach", func(t *testing.T) {
		client := fake.NewClientset(nodeIn("n", "R1", "Z4"))
		calls := 0
		client.PrependReactor("get", "nodes", func(k8stesting.Action) (bool, runtime.Object, error) {
			calls++
			return calls == 1, nil, apierrors.NewInternalError(context.DeadlineExceeded)
		})
		got, err := OwnSegment(t.Context(), client, "n")
		if err != nil || !got.Equal(segment("R1", "Z4")) || calls != 2 {
			t.Errorf("after %d calls: %v, %v, want the segment after the second", calls, got, err)
		}
	})
}

func TestNodeInventory(t *testing.T) {
	client := fake.NewClientset(nodeIn("b", "R1", "Z2"), nodeIn("a", "R1", "Z2"), nodeIn("c", "", ""))
	inventory, err := NewNodeInventory(t.Context(), client)
	if err != nil {
		t.Fatal(err)
	}
	wantSegments(t, inventory, []topology.Segment{NodeSegment("a"), NodeSegment("b"), NodeSegment("c")})
	if got, found := inventory.SegmentOf("b"); !found || !got.Equal(NodeSegment("b")) {
		t.Errorf("SegmentOf(b) = %v, %t", got, found)
	}
	if got, found := inventory.SegmentOf("nobody"); found {
		t.Errorf("SegmentOf(nobody) = %v", got)
	}
}
