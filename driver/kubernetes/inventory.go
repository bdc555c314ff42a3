// SPDX-License-Identifier: Apache-2.0

package kubernetes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"

	"github.com/csi-topo/csi-topo/driver/topology"
)

// Inventory holds the segments of the nodes of the cluster, and follows the cluster as nodes are added, removed and
// relabeled.
type Inventory struct {
	nodes     corelisters.NodeLister
	segmentOf func(*corev1.Node) (topology.Segment, bool)
}

// NewInventory returns an inventory of regions and zones. A node has to have labels for both. When NewInventory returns,
// it contains all existing nodes, and it follows the cluster until the context ends.
func NewInventory(ctx context.Context, client kubernetes.Interface) (*Inventory, error) {
	return newInventory(ctx, client, segmentOf)
}

// NewNodeInventory returns an inventory in which every node is a separate segment.
func NewNodeInventory(ctx context.Context, client kubernetes.Interface) (*Inventory, error) {
	return newInventory(ctx, client, func(node *corev1.Node) (topology.Segment, bool) {
		return NodeSegment(node.Name), true
	})
}

func newInventory(ctx context.Context, client kubernetes.Interface, segmentOf func(*corev1.Node) (topology.Segment, bool)) (*Inventory, error) {
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTransform(onlyLabels))
	nodes := factory.Core().V1().Nodes()
	inventory := &Inventory{nodes: nodes.Lister(), segmentOf: segmentOf}
	factory.StartWithContext(ctx)
	if err := factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		return nil, fmt.Errorf("listing the nodes of the cluster: %w", err)
	}
	return inventory, nil
}

// onlyLabels removes all fields of a node that the inventory does not need: they change with every heartbeat, and are not
// worth the memory.
func onlyLabels(object any) (any, error) {
	node, isNode := object.(*corev1.Node)
	if !isNode {
		return object, nil
	}
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{
		Name:            node.Name,
		Labels:          node.Labels,
		ResourceVersion: node.ResourceVersion,
	}}, nil
}

// Segments returns every segment that has a node, ordered by String.
func (i *Inventory) Segments() []topology.Segment {
	nodes, err := i.nodes.List(labels.Everything())
	if err != nil {
		return nil // the lister of a cache returns no error
	}
	var segments []topology.Segment
	for _, node := range nodes {
		if segment, found := i.segmentOf(node); found {
			segments = append(segments, segment)
		}
	}
	slices.SortFunc(segments, func(a, b topology.Segment) int { return strings.Compare(a.String(), b.String()) })
	return slices.CompactFunc(segments, topology.Segment.Equal)
}

// SegmentOf returns the segment of the node, which has its Kubernetes name as
// its id; false for a node that is unknown or has no segment.
func (i *Inventory) SegmentOf(nodeID string) (topology.Segment, bool) {
	node, err := i.nodes.Get(nodeID)
	if err != nil {
		return nil, false
	}
	return i.segmentOf(node)
}
