// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

const (
	driverName = "scale.topo.csi"
	// topologyKey is the topology key; each segment has a different value.
	topologyKey = "topology.scale.topo.csi/node"
	namespace   = "default"
)

// nodeName returns the name of a node, which is also the name of its segment if each node is a segment.
func nodeName(i int) string { return fmt.Sprintf("node-%04d", i) }

func className(i int) string { return fmt.Sprintf("class-%d", i) }

// each calls do for all numbers from first to end-1, several at a time.
func each(ctx context.Context, first, end int, do func(ctx context.Context, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(8)
	for i := first; i < end && ctx.Err() == nil; i++ {
		group.Go(func() error { return do(ctx, i) })
	}
	return group.Wait()
}

// createNodes creates the nodes from first to end-1, each in a separate segment of the driver. They have no kubelet.
func createNodes(ctx context.Context, client kubernetes.Interface, first, end int) error {
	return createNodesIn(ctx, client, first, end, end)
}

// createNodesIn creates the nodes from first to end-1, spread over the given number of segments.
func createNodesIn(ctx context.Context, client kubernetes.Interface, first, end, segments int) error {
	return each(ctx, first, end, func(ctx context.Context, i int) error {
		name := nodeName(i)
		node := &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{topologyKey: nodeName(i % segments)}},
			Status: corev1.NodeStatus{Allocatable: corev1.ResourceList{
				corev1.ResourceCPU: resource.MustParse("64"), corev1.ResourceMemory: resource.MustParse("256Gi"), corev1.ResourcePods: resource.MustParse("110"),
			}},
		}
		if _, err := client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating node %s: %w", name, err)
		}
		csiNode := &storagev1.CSINode{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: storagev1.CSINodeSpec{
			Drivers: []storagev1.CSINodeDriver{{Name: driverName, NodeID: name, TopologyKeys: []string{topologyKey}}},
		}}
		if _, err := client.StorageV1().CSINodes().Create(ctx, csiNode, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating the CSINode of %s: %w", name, err)
		}
		return nil
	})
}

// move moves a node to another segment.
func (w *world) move(ctx context.Context, node, segment string) error {
	patch := fmt.Appendf(nil, `{"metadata": {"labels": {%q: %q}}}`, topologyKey, segment)
	if _, err := w.CoreV1().Nodes().Patch(ctx, node, types.StrategicMergePatchType, patch, metav1.PatchOptions{}); err != nil {
		return fmt.Errorf("moving node %s: %w", node, err)
	}
	return nil
}

// createClasses creates StorageClasses of the driver.
func createClasses(ctx context.Context, client kubernetes.Interface, classes int, binding storagev1.VolumeBindingMode) error {
	for i := range classes {
		class := &storagev1.StorageClass{
			ObjectMeta:  metav1.ObjectMeta{Name: className(i)},
			Provisioner: driverName, VolumeBindingMode: &binding,
		}
		if _, err := client.StorageV1().StorageClasses().Create(ctx, class, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating StorageClass %s: %w", class.Name, err)
		}
	}
	return nil
}

// createDriver creates the CSIDriver, whose capacity the scheduler reads if it is tracked.
func createDriver(ctx context.Context, client kubernetes.Interface, isTracked bool) error {
	driver := &storagev1.CSIDriver{ObjectMeta: metav1.ObjectMeta{Name: driverName}, Spec: storagev1.CSIDriverSpec{StorageCapacity: &isTracked}}
	if _, err := client.StorageV1().CSIDrivers().Create(ctx, driver, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("creating CSIDriver %s: %w", driverName, err)
	}
	return nil
}

// createCapacity publishes the same capacity of each segment and StorageClass.
func createCapacity(ctx context.Context, client kubernetes.Interface, segments, classes int, bytes int64) error {
	return each(ctx, 0, segments*classes, func(ctx context.Context, i int) error {
		object := &storagev1.CSIStorageCapacity{
			ObjectMeta:       metav1.ObjectMeta{Name: fmt.Sprintf("capacity-%d", i)},
			StorageClassName: className(i % classes),
			NodeTopology:     &metav1.LabelSelector{MatchLabels: map[string]string{topologyKey: nodeName(i / classes)}},
			Capacity:         resource.NewQuantity(bytes, resource.BinarySI),
		}
		if _, err := client.StorageV1().CSIStorageCapacities(namespace).Create(ctx, object, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating CSIStorageCapacity %s: %w", object.Name, err)
		}
		return nil
	})
}

// createClaims creates claims of 1 GiB each and, with withPods, a pod for each.
func createClaims(ctx context.Context, client kubernetes.Interface, claims int, withPods bool) error {
	return each(ctx, 0, claims, func(ctx context.Context, i int) error {
		name, class := fmt.Sprintf("claim-%04d", i), className(0)
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PersistentVolumeClaimSpec{
			StorageClassName: &class,
			AccessModes:      []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Resources:        corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}},
		}}
		if _, err := client.CoreV1().PersistentVolumeClaims(namespace).Create(ctx, claim, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating claim %s: %w", name, err)
		}
		if !withPods {
			return nil
		}
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PodSpec{
			Containers: []corev1.Container{{Name: "none", Image: "none"}},
			Volumes: []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name},
			}}},
		}}
		if _, err := client.CoreV1().Pods(namespace).Create(ctx, pod, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating pod %s: %w", name, err)
		}
		return nil
	})
}
