// SPDX-License-Identifier: Apache-2.0

package snapshots

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/uuid"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Adopt creates another VolumeSnapshotContent for the snapshot, as administrators do for an existing one, and waits until
// the snapshotter has called the driver for it; then it deletes the VolumeSnapshotContent, but not the snapshot. It returns
// false if the user lacks the rights.
func Adopt(ctx context.Context, s *harness.Scenario, snapshot Snapshot) bool {
	content := workload.SnapshotContentOf(s.Name("content"), harness.Kept[taken](s).class, "snapshotHandle", snapshot.Handle, s.Namespace)
	forbidden := false // to delete it as well
	s.OncePodsAreGone(func(ctx context.Context) error {
		if forbidden {
			return nil
		}
		return s.Delete(ctx, content)
	})
	err := s.Resources().Create(ctx, content)
	if forbidden = apierrors.IsForbidden(err); forbidden {
		suite.Reduced(ctx, "the user of the kubeconfig may not create a VolumeSnapshotContent, so no one looks for a snapshot: %v", err)
		return false
	}
	s.Need(err, "creating VolumeSnapshotContent %s", content.GetName())
	s.Need(s.Within(ctx, s.Target.Timeouts.Snapshot, s.Look(content, func() error {
		if ready, _, _ := unstructured.NestedBool(content.Object, "status", "readyToUse"); !ready {
			return fmt.Errorf("VolumeSnapshotContent %s is not ready to use: %v", content.GetName(), content.Object["status"])
		}
		return nil
	})), "waiting for the snapshotter to look for snapshot %s", snapshot.Handle)
	s.Need(s.Delete(ctx, content), "deleting VolumeSnapshotContent %s", content.GetName())
	return true
}

// Ask creates a VolumeSnapshotContent that makes the snapshotter of another driver request a snapshot of the volume, by its
// volume_id, until the case ends. No snapshot is left: that driver never answers OK.
func Ask(ctx context.Context, s *harness.Scenario, driver, volume string) {
	class := workload.SnapshotClass(s.Name("class"), driver, nil)
	content := workload.SnapshotContentOf(s.Name("content"), class, "volumeHandle", volume, s.Namespace)
	// The snapshot's name is derived from the uid of its VolumeSnapshot.
	s.Need(unstructured.SetNestedField(content.Object, string(uuid.NewUUID()), "spec", "volumeSnapshotRef", "uid"), "asking for a snapshot")
	forbidden := false // to delete them as well
	s.OnCleanUp(func(ctx context.Context) error {
		if forbidden {
			return s.Delete(ctx, class)
		}
		err := s.Delete(ctx, content)
		letGo := s.Patch(ctx, content, map[string]any{"metadata": map[string]any{"finalizers": []string{}}})
		if harness.Gone(letGo, "") == nil {
			letGo = nil
		}
		return errors.Join(err, letGo, s.Delete(ctx, class))
	})
	for _, object := range []*unstructured.Unstructured{class, content} {
		err := s.Resources().Create(ctx, object)
		if forbidden = apierrors.IsForbidden(err); forbidden {
			suite.Skip(suite.ByEnvironment, "the user of the kubeconfig may not create a %s: %v", object.GetKind(), err)
		}
		s.Need(err, "creating %s %s", object.GetKind(), object.GetName())
	}
}
