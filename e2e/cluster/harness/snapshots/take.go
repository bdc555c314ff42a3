// SPDX-License-Identifier: Apache-2.0

package snapshots

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Take creates a VolumeSnapshot of the claim's volume, and waits until it is ready to use. The snapshot controller may not
// be visible to users of the cluster: if no controller handles the VolumeSnapshot, the case is skipped.
func Take(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim) Snapshot {
	object := Create(ctx, s, claim)
	s.Until(ctx, s.Target.Timeouts.Snapshot, "VolumeSnapshot "+object.GetName()+" ready to use", s.Look(object, func() error {
		return predicate.SnapshotReady(object)
	}))
	snapshot := read(ctx, s, object)
	snapshot.Asked = NameOf(object)
	suite.Evidence(ctx, "VolumeSnapshot "+snapshot.Name, snapshot)
	taken := harness.Kept[taken](s)
	taken.ready = append(taken.ready, snapshot)
	return snapshot
}

// Create creates a VolumeSnapshot of the claim's volume, like Take, and waits until a controller handles it.
func Create(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim) *unstructured.Unstructured {
	taken := harness.Kept[taken](s)
	if taken.class == nil {
		CreateClass(ctx, s, s.Target.SnapshotParameters)
	}
	object := workload.SnapshotOf(claim, taken.class)
	s.Need(s.Resources().Create(ctx, object), "creating a VolumeSnapshot")
	meetController(ctx, s, object)
	return object
}

// CreateClass creates the VolumeSnapshotClass of the case's snapshots, before the first one, with these parameters.
func CreateClass(ctx context.Context, s *harness.Scenario, parameters map[string]string) {
	class := workload.SnapshotClass(s.Namespace, s.Target.Driver, parameters)
	taken := harness.Kept[taken](s)
	taken.class = class
	taken.leaveNothing(s)
	s.Need(s.Resources().Create(ctx, class), "creating VolumeSnapshotClass %s", class.GetName())
}

func meetController(ctx context.Context, s *harness.Scenario, object *unstructured.Unstructured) {
	err := s.Within(ctx, s.Target.Timeouts.Notice, s.Look(object, func() error { return predicate.SnapshotNoticed(object) }))
	if err == nil {
		return
	}
	s.Need(s.Reread(ctx, object), "looking for a snapshot controller")
	if predicate.SnapshotNoticed(object) != nil {
		suite.Skip(suite.ByEnvironment, "needs a snapshot controller, and none took up a %s within %s", object.GetKind(), s.Target.Timeouts.Notice)
	}
}

func read(ctx context.Context, s *harness.Scenario, object *unstructured.Unstructured) Snapshot {
	snapshot := Snapshot{Name: object.GetName()}
	snapshot.Content, _, _ = unstructured.NestedString(object.Object, "status", "boundVolumeSnapshotContentName")
	content := workload.SnapshotObject(workload.SnapshotContentKind, snapshot.Content)
	s.Need(s.Reread(ctx, content), "looking for the content of VolumeSnapshot %s", snapshot.Name)
	snapshot.Handle, _, _ = unstructured.NestedString(content.Object, "status", "snapshotHandle")
	snapshot.Volume, _, _ = unstructured.NestedString(content.Object, "spec", "source", "volumeHandle")
	if size, found, _ := unstructured.NestedString(object.Object, "status", "restoreSize"); found {
		var err error
		snapshot.Size, err = resource.ParseQuantity(size)
		s.Need(err, "reading the restoreSize of VolumeSnapshot %s", snapshot.Name)
	}
	return snapshot
}
