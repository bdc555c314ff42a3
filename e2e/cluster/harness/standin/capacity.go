// SPDX-License-Identifier: Apache-2.0

package standin

import (
	"context"

	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
)

// Capacity is the content of a CSIStorageCapacity object; nil fields are not set.
type Capacity struct {
	// Nodes selects nodes by these labels: an empty selector selects all nodes, and nil none.
	Nodes *metav1.LabelSelector
	// Bytes is the free capacity, and Largest the size of the largest volume.
	Bytes, Largest *resource.Quantity
}

// In returns a selector of the nodes of a zone.
func In(z topology.Zone) *metav1.LabelSelector { return &metav1.LabelSelector{MatchLabels: z.Segment} }

// CreateCapacity creates a CSIStorageCapacity object of the class.
func CreateCapacity(ctx context.Context, s *harness.Scenario, class *storagev1.StorageClass, c Capacity) *storagev1.CSIStorageCapacity {
	object := &storagev1.CSIStorageCapacity{StorageClassName: class.Name, NodeTopology: c.Nodes, Capacity: c.Bytes, MaximumVolumeSize: c.Largest}
	object.GenerateName, object.Namespace = "capacity-", s.Namespace
	s.Need(s.Resources().Create(ctx, object), "creating a CSIStorageCapacity object")
	return object
}

// SayCapacity sets capacity and maximumVolumeSize of the object, and keeps its topology.
func SayCapacity(ctx context.Context, s *harness.Scenario, object *storagev1.CSIStorageCapacity, bytes, largest *resource.Quantity) {
	object.Capacity, object.MaximumVolumeSize = bytes, largest
	s.Need(s.Resources().Update(ctx, object), "changing CSIStorageCapacity %s", object.Name)
}
