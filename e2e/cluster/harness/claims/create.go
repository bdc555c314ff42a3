// SPDX-License-Identifier: Apache-2.0

// Package claims creates claims, classes and volumes, and waits for their state.
package claims

import (
	"context"
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// CreateClass creates a StorageClass of the driver. If the class has no parameters, its volumes are accessible from one
// topology. It returns once the room for the class is published: a pod created earlier would be refused at first, and wait
// for a retry.
func CreateClass(ctx context.Context, s *harness.Scenario, built *workload.Class) *storagev1.StorageClass {
	class := CreateClassOf(ctx, s, s.Target.Driver, built)
	if s.CapacityTracked && *class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer {
		room.AwaitCapacity(ctx, s, class)
	}
	return class
}

// CreateClassOf creates a StorageClass of a driver, under test or not, and does not wait for its capacity to be published.
func CreateClassOf(ctx context.Context, s *harness.Scenario, driver string, built *workload.Class) *storagev1.StorageClass {
	class := built.Object()
	class.Name = s.Name("class")
	class.Provisioner = driver
	if class.Parameters == nil {
		class.Parameters = s.AccessibleFrom(1)
	}
	asked := class.DeepCopy()
	s.OnceClaimsAreGone(func(ctx context.Context) error { return s.Delete(ctx, class) })
	s.Need(s.Resources().Create(ctx, class), "creating StorageClass %s", class.Name)
	s.Need(predicate.ClassAsAsked(asked, class), "creating StorageClass %s, which this cluster's admission changed", class.Name)
	return class
}

// AllowClassIn restricts the class to volumes in these zones.
func AllowClassIn(ctx context.Context, s *harness.Scenario, class *storagev1.StorageClass, zones ...topology.Zone) {
	class.AllowedTopologies = workload.WaitForFirstConsumer().AllowedIn(topology.SegmentsOf(zones...)...).Object().AllowedTopologies
	asked := class.DeepCopy()
	s.Need(s.Resources().Update(ctx, class), "allowing zones in StorageClass %s", class.Name)
	s.Need(predicate.ClassAsAsked(asked, class), "updating StorageClass %s, which this cluster's admission changed", class.Name)
}

// Create creates a claim of the class, for the target's volume size.
func Create(ctx context.Context, s *harness.Scenario, class *storagev1.StorageClass) *corev1.PersistentVolumeClaim {
	return CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize))
}

// CreateAs creates the claim as it was built.
func CreateAs(ctx context.Context, s *harness.Scenario, built *workload.Claim) *corev1.PersistentVolumeClaim {
	claim := built.Object()
	claim.Namespace = s.Namespace
	s.Need(s.Resources().Create(ctx, claim), "creating a claim")
	return claim
}

// CreateVolume creates the PersistentVolume, without any storage for it.
func CreateVolume(ctx context.Context, s *harness.Scenario, built *workload.Volume) *corev1.PersistentVolume {
	volume := built.Object()
	s.OnCleanUp(func(ctx context.Context) error { return s.Delete(ctx, volume) })
	s.Need(s.Resources().Create(ctx, volume), "creating PersistentVolume %s", volume.Name)
	return volume
}

// AwaitAvailable waits until claims can be bound to the PersistentVolumes.
func AwaitAvailable(ctx context.Context, s *harness.Scenario, volumes ...*corev1.PersistentVolume) {
	for _, volume := range volumes {
		s.Need(s.Within(ctx, s.Target.Timeouts.Bind, s.Look(volume, func() error {
			return predicate.VolumeInPhase(volume, corev1.VolumeAvailable)
		})), "waiting for volume %s to be available", volume.Name)
	}
}

// TryVolume asks the API server in a dry run whether it would accept the PersistentVolume.
func TryVolume(ctx context.Context, s *harness.Scenario, built *workload.Volume) error {
	return s.Resources().Create(ctx, built.Object(), func(o *metav1.CreateOptions) { o.DryRun = []string{metav1.DryRunAll} })
}

// Select selects a node for the claim, as the scheduler does for a pod: only then does the provisioner create a volume.
func Select(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, node string) {
	change := map[string]any{"metadata": map[string]any{"annotations": map[string]string{selectedNodeAnnotation: node}}}
	s.Need(s.Patch(ctx, claim, change), "selecting a node for claim %s", claim.Name)
}

// Touch makes an insignificant change to the claim, so that its controllers reconcile it again.
func Touch(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim) {
	s.Need(s.Patch(ctx, claim, json.RawMessage(`{"metadata":{"annotations":{"csi-topo/touched":"true"}}}`)), "changing claim %s", claim.Name)
}
