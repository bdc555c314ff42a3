// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/e2e-framework/klient/k8s"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// StandIn is a driver of which there is only what the scheduler reads: a CSIDriver, classes and CSIStorageCapacity
// objects. Nobody ever creates its volumes, so what happens is the scheduler's doing alone.
type StandIn struct {
	s *Scenario
	// Driver says what the driver is; it is there until the case ends.
	Driver *storagev1.CSIDriver
}

// CreateStandIn creates a driver whose capacity is tracked or not.
func (s *Scenario) CreateStandIn(ctx context.Context, tracked bool) *StandIn {
	// Nobody would attach its volumes.
	return s.createStandIn(ctx, "stand-in", storagev1.CSIDriverSpec{StorageCapacity: &tracked, AttachRequired: ptr.To(false)})
}

// CreateAttachingStandIn creates a driver whose volumes are to be attached or not, and whose capacity is not tracked.
func (s *Scenario) CreateAttachingStandIn(ctx context.Context, name string, attached bool) *StandIn {
	tracked := false
	return s.createStandIn(ctx, name, storagev1.CSIDriverSpec{StorageCapacity: &tracked, AttachRequired: &attached})
}

func (s *Scenario) createStandIn(ctx context.Context, name string, spec storagev1.CSIDriverSpec) *StandIn {
	driver := &storagev1.CSIDriver{Spec: spec}
	driver.Name = s.Namespace + "." + name
	driver.Spec.VolumeLifecycleModes = []storagev1.VolumeLifecycleMode{storagev1.VolumeLifecyclePersistent, storagev1.VolumeLifecycleEphemeral}
	s.undo = append(s.undo, func(ctx context.Context) error { return s.delete(ctx, driver) })
	s.Need(s.Resources().Create(ctx, driver), "creating CSIDriver %s", driver.Name)
	return &StandIn{s, driver}
}

// CreateClass creates a class of the driver, which waits for its first consumer.
func (d *StandIn) CreateClass(ctx context.Context) *storagev1.StorageClass {
	return d.CreateClassAs(ctx, workload.WaitForFirstConsumer())
}

// CreateClassAs creates a class of the driver as it was built, without parameters that it was not given.
func (d *StandIn) CreateClassAs(ctx context.Context, built *workload.Class) *storagev1.StorageClass {
	if built.Object().Parameters == nil {
		built.Parameters(map[string]string{})
	}
	return d.s.createClassOf(ctx, d.Driver.Name, built)
}

// Track has the scheduler check the driver's capacity, or not.
func (d *StandIn) Track(ctx context.Context, tracked bool) {
	data := []byte(`{"spec":{"storageCapacity":false}}`)
	if tracked {
		data = []byte(`{"spec":{"storageCapacity":true}}`)
	}
	d.s.Need(d.s.Resources().Patch(ctx, d.Driver, k8s.Patch{PatchType: types.MergePatchType, Data: data}), "changing CSIDriver %s", d.Driver.Name)
}

// Remove deletes the CSIDriver.
func (d *StandIn) Remove(ctx context.Context) {
	d.s.Need(d.s.delete(ctx, d.Driver), "deleting CSIDriver %s", d.Driver.Name)
}

// Capacity is what a CSIStorageCapacity object says; nil is what it does not say.
type Capacity struct {
	// Nodes are those with these labels: all of them when it is empty, and none when it is nil.
	Nodes *metav1.LabelSelector
	// Bytes are free, and Largest is the size of the largest volume.
	Bytes, Largest *resource.Quantity
}

// In are the nodes of a zone.
func In(z Zone) *metav1.LabelSelector { return &metav1.LabelSelector{MatchLabels: z.Segment} }

// CreateCapacity creates a CSIStorageCapacity object of the class.
func (s *Scenario) CreateCapacity(ctx context.Context, class *storagev1.StorageClass, c Capacity) *storagev1.CSIStorageCapacity {
	object := &storagev1.CSIStorageCapacity{StorageClassName: class.Name, NodeTopology: c.Nodes, Capacity: c.Bytes, MaximumVolumeSize: c.Largest}
	object.GenerateName, object.Namespace = "capacity-", s.Namespace
	s.Need(s.Resources().Create(ctx, object), "creating a CSIStorageCapacity object")
	return object
}

// Say changes what the object says; the nodes stay.
func (s *Scenario) Say(ctx context.Context, object *storagev1.CSIStorageCapacity, bytes, largest *resource.Quantity) {
	object.Capacity, object.MaximumVolumeSize = bytes, largest
	s.Need(s.Resources().Update(ctx, object), "changing CSIStorageCapacity %s", object.Name)
}

// MustSelect waits for the scheduler to give the claim a node of one of the zones, which is what the provisioner waits for,
// and returns its name.
func (s *Scenario) MustSelect(ctx context.Context, claim *corev1.PersistentVolumeClaim, zones ...Zone) string {
	var nodes []string
	for _, z := range zones {
		nodes = append(nodes, z.NodeNames()...)
	}
	s.Until(ctx, s.Target.Timeouts.Schedule, "node selected for claim "+claim.Name, s.Look(claim, func() error {
		return predicate.ClaimSelects(claim, nodes)
	}))
	return claim.Annotations[selectedNodeAnnotation]
}
