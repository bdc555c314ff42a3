// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

const (
	driverName = "scale.topo.csi"
	// topologyKey has another value for each node: every node is a segment.
	topologyKey = "topology.scale.topo.csi/node"
	namespace   = "default"
)

// nodeName returns the name of a node, which is also that of its segment.
func nodeName(i int) string { return fmt.Sprintf("node-%04d", i) }

// createNodes creates nodes that each have a segment of the driver. No kubelet runs there.
func createNodes(ctx context.Context, client kubernetes.Interface, segments int) error {
	for i := range segments {
		name := nodeName(i)
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{topologyKey: name}}}
		if _, err := client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating node %s: %w", name, err)
		}
		csiNode := &storagev1.CSINode{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: storagev1.CSINodeSpec{
			Drivers: []storagev1.CSINodeDriver{{Name: driverName, NodeID: name, TopologyKeys: []string{topologyKey}}},
		}}
		if _, err := client.StorageV1().CSINodes().Create(ctx, csiNode, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating the CSINode of %s: %w", name, err)
		}
	}
	return nil
}

// createClasses creates StorageClasses of the driver with late binding, whose capacity is published.
func createClasses(ctx context.Context, client kubernetes.Interface, classes int) error {
	late := storagev1.VolumeBindingWaitForFirstConsumer
	for i := range classes {
		class := &storagev1.StorageClass{
			ObjectMeta:  metav1.ObjectMeta{Name: fmt.Sprintf("class-%d", i)},
			Provisioner: driverName, VolumeBindingMode: &late,
		}
		if _, err := client.StorageV1().StorageClasses().Create(ctx, class, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating StorageClass %s: %w", class.Name, err)
		}
	}
	return nil
}
