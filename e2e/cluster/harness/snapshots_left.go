// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// leavesNoSnapshot waits until the driver lists none of the case's snapshots, which are deleted; it warns of one that is
// still listed.
func (s *Scenario) leavesNoSnapshot(ctx context.Context) {
	if !s.driver.claims(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS) {
		return
	}
	for _, snapshot := range slices.Clone(s.snapshots) {
		s.ShouldNotListSnapshot(ctx, snapshot)
	}
}

// removeSnapshots ends with the case's snapshots and their class deleted.
func (s *Scenario) removeSnapshots(ctx context.Context) error {
	if s.snapshotClass == nil {
		return nil
	}
	return errors.Join(s.poll(ctx, s.Target.Timeouts.Delete, func(ctx context.Context) error {
		contents, err := s.snapshotObjects(ctx, workload.SnapshotContentKind)
		if err != nil {
			return err
		}
		for _, content := range contents {
			if s.isOurContent(&content) {
				return fmt.Errorf("VolumeSnapshotContent %s is still there", content.GetName())
			}
		}
		return nil
	}), s.delete(ctx, s.snapshotClass))
}

// deleteSnapshots deletes the case's VolumeSnapshots, and does not wait for what becomes of them.
func (s *Scenario) deleteSnapshots(ctx context.Context) error {
	if s.snapshotClass == nil {
		return nil
	}
	snapshots, err := s.snapshotObjects(ctx, workload.SnapshotKind)
	problems := []error{err}
	for _, snapshot := range snapshots {
		problems = append(problems, s.delete(ctx, &snapshot))
	}
	return errors.Join(problems...)
}

// isOurContent reports whether the VolumeSnapshotContent is of a snapshot of the case.
func (s *Scenario) isOurContent(content *unstructured.Unstructured) bool {
	namespace, _, _ := unstructured.NestedString(content.Object, "spec", "volumeSnapshotRef", "namespace")
	return namespace == s.Namespace
}

// snapshotObjects are those of the kind, in the case's namespace if they have one.
func (s *Scenario) snapshotObjects(ctx context.Context, kind string) ([]unstructured.Unstructured, error) {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(workload.SnapshotVersion().WithKind(kind + "List"))
	if err := s.Resources().List(ctx, list); err != nil {
		return nil, fmt.Errorf("listing objects of kind %s: %w", kind, err)
	}
	return list.Items, nil
}
