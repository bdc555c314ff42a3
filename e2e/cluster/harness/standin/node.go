// SPDX-License-Identifier: Apache-2.0

package standin

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodes"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// Segment returns the stand-in's topology for a zone, with its own keys: the driver under test is not involved.
func (d *StandIn) Segment(zone string) predicate.Segment {
	return predicate.Segment{d.RegionKey(): "region", d.ZoneKey(): zone}
}

// RegionKey returns the stand-in's topology key for regions.
func (d *StandIn) RegionKey() string { return d.Driver.Name + "/region" }

// ZoneKey returns the stand-in's topology key for zones.
func (d *StandIn) ZoneKey() string { return d.Driver.Name + "/zone" }

// RegisterIn registers the stand-in on all nodes of the zones, as a kubelet does for a driver: each node is in the
// stand-in's segment with the zone's name.
func (d *StandIn) RegisterIn(ctx context.Context, zones ...topology.Zone) {
	for _, z := range zones {
		d.Register(ctx, d.Segment(z.Name), z.NodeNames()...)
	}
}

// Register registers the stand-in on nodes: the segment is in their labels, and its keys in their CSINodes, until the case
// ends.
func (d *StandIn) Register(ctx context.Context, segment predicate.Segment, nodes ...string) {
	for _, name := range nodes {
		d.Relabel(ctx, segment, name)
		d.s.OnCleanUp(func(ctx context.Context) error { return d.changeCSINode(ctx, name, nil) })
		entry := &storagev1.CSINodeDriver{Name: d.Driver.Name, NodeID: name, TopologyKeys: slices.Sorted(maps.Keys(segment))}
		d.s.Need(d.changeCSINode(ctx, name, entry), "registering on node %s", name)
	}
}

// Unregister removes the stand-in from a node's CSINode; the labels remain.
func (d *StandIn) Unregister(ctx context.Context, node string) {
	d.s.Need(d.changeCSINode(ctx, node, nil), "taking the driver away from node %s", node)
}

// Relabel replaces a node's labels of the stand-in's topology by the segment's, until the case ends.
func (d *StandIn) Relabel(ctx context.Context, segment predicate.Segment, node string) {
	set := func(segment predicate.Segment) func(*corev1.Node) {
		return func(n *corev1.Node) {
			delete(n.Labels, d.RegionKey())
			delete(n.Labels, d.ZoneKey())
			maps.Copy(n.Labels, segment)
		}
	}
	nodes.Change(ctx, d.s, topology.Node{Name: node}, "labelling", set(segment), set(nil))
}

// ForgetLabels removes the labels of the stand-in's topology, which a kubelet sets, from the node when the case ends.
func (d *StandIn) ForgetLabels(at topology.Node) {
	d.s.OnceClaimsAreGone(func(ctx context.Context) error {
		return nodes.Update(ctx, d.s, at, func(n *corev1.Node) {
			delete(n.Labels, d.RegionKey())
			delete(n.Labels, d.ZoneKey())
		})
	})
}

// changeCSINode replaces the stand-in's entry in the CSINode; nil removes it.
func (d *StandIn) changeCSINode(ctx context.Context, name string, entry *storagev1.CSINodeDriver) error {
	err := nodes.OnConflict(func() error {
		registered := &storagev1.CSINode{}
		registered.Name = name
		if err := d.s.Reread(ctx, registered); err != nil {
			return err
		}
		registered.Spec.Drivers = slices.DeleteFunc(registered.Spec.Drivers, func(e storagev1.CSINodeDriver) bool { return e.Name == d.Driver.Name })
		if entry != nil {
			registered.Spec.Drivers = append(registered.Spec.Drivers, *entry)
		}
		return d.s.Resources().Update(ctx, registered)
	})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("changing CSINode %s: %w", name, err)
	}
	return nil
}

// taint returns a taint that keeps pods that do not tolerate it off nodes without a kubelet.
func taint(s *harness.Scenario) corev1.Taint {
	return corev1.Taint{Key: "csi-topo/stand-in", Value: s.Namespace, Effect: corev1.TaintEffectNoSchedule}
}

// CreateNode creates a node without a kubelet, which only the scheduler and the provisioner see, with the stand-in
// registered in the segment, until DeleteNode or the end of the case. Only pods that tolerate the returned taints are
// placed there.
func (d *StandIn) CreateNode(ctx context.Context, segment predicate.Segment) (topology.Node, []corev1.Taint) {
	s := d.s
	node := &corev1.Node{}
	node.Name = s.Name("node")
	// Pods of DaemonSets tolerate all taints, but require a real operating system.
	node.Labels = map[string]string{corev1.LabelHostname: node.Name, corev1.LabelOSStable: "stand-in"}
	maps.Copy(node.Labels, segment)
	taint := taint(s)
	node.Spec.Taints = []corev1.Taint{taint}
	registered := &storagev1.CSINode{}
	registered.Name = node.Name
	registered.Spec.Drivers = []storagev1.CSINodeDriver{{Name: d.Driver.Name, NodeID: node.Name, TopologyKeys: slices.Sorted(maps.Keys(segment))}}
	room := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("1"), corev1.ResourceMemory: resource.MustParse("1Gi"), corev1.ResourcePods: resource.MustParse("10"),
	}
	node.Status.Capacity, node.Status.Allocatable = room, room
	node.Status.Conditions = []corev1.NodeCondition{{
		Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "StandIn", LastHeartbeatTime: metav1.Now(), LastTransitionTime: metav1.Now(),
	}}
	s.OnCleanUp(func(ctx context.Context) error { return d.deleteNode(ctx, node.Name) })
	s.Need(s.Resources().Create(ctx, registered), "creating CSINode %s", node.Name)
	s.Need(s.Resources().Create(ctx, node), "creating node %s", node.Name)
	notReady := corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule} // until seen ready
	return topology.Node{Name: node.Name, Hostname: node.Name, ID: node.Name}, []corev1.Taint{taint, notReady}
}

// DeleteNode deletes a node that CreateNode created.
func (d *StandIn) DeleteNode(ctx context.Context, node topology.Node) {
	d.s.Need(d.deleteNode(ctx, node.Name), "deleting node %s", node.Name)
}

func (d *StandIn) deleteNode(ctx context.Context, name string) error {
	node, registered := &corev1.Node{}, &storagev1.CSINode{}
	node.Name, registered.Name = name, name
	return errors.Join(d.s.Delete(ctx, node), d.s.Delete(ctx, registered))
}
