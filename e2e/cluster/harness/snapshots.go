// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/discovery"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Snapshot is a VolumeSnapshot that is ready to use.
type Snapshot struct {
	// Name is that of the VolumeSnapshot, and Content of its VolumeSnapshotContent.
	Name, Content string
	// Handle is the driver's snapshot_id.
	Handle string
	// Size is that of the smallest volume that can be created from it, zero if nobody says.
	Size resource.Quantity
}

// Reference is how a claim names the snapshot.
func (n Snapshot) Reference() corev1.TypedLocalObjectReference {
	group := workload.SnapshotVersion().Group
	return corev1.TypedLocalObjectReference{APIGroup: &group, Kind: workload.SnapshotKind, Name: n.Name}
}

// ServesSnapshots reports whether the API server has VolumeSnapshots, which are no part of Kubernetes.
func ServesSnapshots(server discovery.ServerResourcesInterface) (bool, error) {
	_, err := server.ServerResourcesForGroupVersion(workload.SnapshotVersion().String())
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("looking for %s in the API server: %w", workload.SnapshotVersion(), err)
	}
	return true, nil
}

// TakeSnapshot creates a VolumeSnapshot of the claim's volume, and waits until it is ready to use. The snapshot controller
// may run where no user of the cluster sees it: where none takes up the VolumeSnapshot, the case is skipped.
func (s *Scenario) TakeSnapshot(ctx context.Context, claim *corev1.PersistentVolumeClaim) Snapshot {
	if s.snapshotClass == nil {
		class := workload.SnapshotClass(s.Namespace, s.Target.Driver, s.Target.SnapshotParameters)
		s.Need(s.Resources().Create(ctx, class), "creating VolumeSnapshotClass %s", class.GetName())
		s.snapshotClass = class
	}
	object := workload.SnapshotOf(claim, s.snapshotClass)
	s.Need(s.Resources().Create(ctx, object), "creating a VolumeSnapshot")
	s.meetSnapshotController(ctx, object)
	s.Until(ctx, s.Target.Timeouts.Snapshot, "VolumeSnapshot "+object.GetName()+" ready to use", s.Look(object, func() error {
		return predicate.SnapshotReady(object)
	}))
	snapshot := s.readSnapshot(ctx, object)
	suite.Evidence(ctx, "VolumeSnapshot "+snapshot.Name, snapshot)
	s.snapshots = append(s.snapshots, snapshot)
	return snapshot
}

func (s *Scenario) meetSnapshotController(ctx context.Context, object *unstructured.Unstructured) {
	err := s.Within(ctx, s.Target.Timeouts.Notice, s.Look(object, func() error { return predicate.SnapshotNoticed(object) }))
	if err == nil {
		return
	}
	s.Need(s.Reread(ctx, object), "looking for a snapshot controller")
	if predicate.SnapshotNoticed(object) != nil {
		suite.Skip(suite.ByEnvironment, "needs a snapshot controller, and none took up a VolumeSnapshot within %s", s.Target.Timeouts.Notice)
	}
}

func (s *Scenario) readSnapshot(ctx context.Context, object *unstructured.Unstructured) Snapshot {
	snapshot := Snapshot{Name: object.GetName()}
	snapshot.Content, _, _ = unstructured.NestedString(object.Object, "status", "boundVolumeSnapshotContentName")
	content := workload.SnapshotObject(workload.SnapshotContentKind, snapshot.Content)
	s.Need(s.Reread(ctx, content), "looking for the content of VolumeSnapshot %s", snapshot.Name)
	snapshot.Handle, _, _ = unstructured.NestedString(content.Object, "status", "snapshotHandle")
	if size, found, _ := unstructured.NestedString(object.Object, "status", "restoreSize"); found {
		var err error
		snapshot.Size, err = resource.ParseQuantity(size)
		s.Need(err, "reading the restoreSize of VolumeSnapshot %s", snapshot.Name)
	}
	return snapshot
}
