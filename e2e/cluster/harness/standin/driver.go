// SPDX-License-Identifier: Apache-2.0

// Package standin has drivers that consist only of Kubernetes objects, and a csi-provisioner for such a driver.
package standin

import (
	"context"

	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/utils/ptr"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// StandIn is a driver that consists only of the objects that the scheduler reads: a CSIDriver, classes and
// CSIStorageCapacity objects. Its volumes are never created, so only the scheduler decides what happens.
type StandIn struct {
	s *harness.Scenario
	// Driver is the CSIDriver object. It exists until the case ends.
	Driver *storagev1.CSIDriver
}

// Create creates a driver; tracked says whether its capacity is tracked.
func Create(ctx context.Context, s *harness.Scenario, tracked bool) *StandIn {
	// Nothing would attach its volumes.
	return create(ctx, s, "stand-in", storagev1.CSIDriverSpec{StorageCapacity: &tracked, AttachRequired: ptr.To(false)})
}

// CreateAttaching creates a driver without capacity tracking; attached says whether its volumes must be attached.
func CreateAttaching(ctx context.Context, s *harness.Scenario, name string, attached bool) *StandIn {
	tracked := false
	return create(ctx, s, name, storagev1.CSIDriverSpec{StorageCapacity: &tracked, AttachRequired: &attached})
}

// CreateDemanding creates a driver without capacity tracking; its pods may only run on nodes where it is registered.
func CreateDemanding(ctx context.Context, s *harness.Scenario) *StandIn {
	return create(ctx, s, "demanding", storagev1.CSIDriverSpec{StorageCapacity: ptr.To(false), AttachRequired: ptr.To(false), PreventPodSchedulingIfMissing: ptr.To(true)})
}

// CreateInline creates a driver of inline volumes; spec sets how the kubelet treats them.
func CreateInline(ctx context.Context, s *harness.Scenario, name string, spec storagev1.CSIDriverSpec) *StandIn {
	spec.AttachRequired = ptr.To(false)
	if spec.VolumeLifecycleModes == nil {
		spec.VolumeLifecycleModes = []storagev1.VolumeLifecycleMode{storagev1.VolumeLifecycleEphemeral}
	}
	return create(ctx, s, name, spec)
}

func create(ctx context.Context, s *harness.Scenario, name string, spec storagev1.CSIDriverSpec) *StandIn {
	driver := &storagev1.CSIDriver{Spec: spec}
	driver.Name = s.Namespace + "." + name
	if spec.VolumeLifecycleModes == nil {
		driver.Spec.VolumeLifecycleModes = []storagev1.VolumeLifecycleMode{storagev1.VolumeLifecyclePersistent, storagev1.VolumeLifecycleEphemeral}
	}
	s.OnCleanUp(func(ctx context.Context) error { return s.Delete(ctx, driver) })
	s.Need(s.Resources().Create(ctx, driver), "creating CSIDriver %s", driver.Name)
	return &StandIn{s, driver}
}

// CreateClass creates a class of the driver that waits for the first consumer.
func (d *StandIn) CreateClass(ctx context.Context) *storagev1.StorageClass {
	return d.CreateClassAs(ctx, workload.WaitForFirstConsumer())
}

// CreateClassAs creates a class of the driver as it was built. It gets no default parameters.
func (d *StandIn) CreateClassAs(ctx context.Context, built *workload.Class) *storagev1.StorageClass {
	if built.Object().Parameters == nil {
		built.Parameters(map[string]string{})
	}
	return claims.CreateClassOf(ctx, d.s, d.Driver.Name, built)
}

// Track turns the scheduler's check of the driver's capacity on or off.
func (d *StandIn) Track(ctx context.Context, tracked bool) {
	change := map[string]any{"spec": map[string]any{"storageCapacity": tracked}}
	d.s.Need(d.s.Patch(ctx, d.Driver, change), "changing CSIDriver %s", d.Driver.Name)
}

// Remove deletes the CSIDriver.
func (d *StandIn) Remove(ctx context.Context) {
	d.s.Need(d.s.Delete(ctx, d.Driver), "deleting CSIDriver %s", d.Driver.Name)
}
