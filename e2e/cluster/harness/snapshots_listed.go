// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// MustDeleteSnapshot deletes the VolumeSnapshot, and waits until its content is gone too.
func (s *Scenario) MustDeleteSnapshot(ctx context.Context, snapshot Snapshot) {
	object := workload.SnapshotObject(workload.SnapshotKind, snapshot.Name)
	object.SetNamespace(s.Namespace)
	s.Need(s.Resources().Delete(ctx, object), "deleting VolumeSnapshot %s", snapshot.Name)
	s.Until(ctx, s.Target.Timeouts.Delete, "content of VolumeSnapshot "+snapshot.Name+" deleted", func(ctx context.Context) error {
		return gone(s.Reread(ctx, workload.SnapshotObject(workload.SnapshotContentKind, snapshot.Content)), "VolumeSnapshotContent "+snapshot.Content)
	})
}

// MustListSnapshot waits until the driver lists the snapshot.
func (s *Scenario) MustListSnapshot(ctx context.Context, snapshot Snapshot) {
	err := s.Within(ctx, s.Target.Timeouts.Delete, func(ctx context.Context) error { return s.listed(ctx, snapshot, true) })
	if predicate.IsMismatch(err) {
		suite.Fail("LS-01", "%v", err)
	}
	s.Check(err)
}

// ShouldNotListSnapshot waits until the driver no longer lists the snapshot, whose content is gone. How long one that is
// being deleted is on the storage system is not said, so that one which stays in the list warns.
func (s *Scenario) ShouldNotListSnapshot(ctx context.Context, snapshot Snapshot) {
	s.snapshots = slices.DeleteFunc(s.snapshots, func(other Snapshot) bool { return other.Name == snapshot.Name })
	err := s.Within(ctx, s.Target.Timeouts.Delete, func(ctx context.Context) error { return s.listed(ctx, snapshot, false) })
	if predicate.IsMismatch(err) {
		suite.Warn(ctx, "LS-01", "%v\nthough DeleteSnapshot was answered OK: nothing shows that its room is free again", err)
		return
	}
	s.Check(err)
}

// listed wants the driver to list the snapshot, or not to.
func (s *Scenario) listed(ctx context.Context, snapshot Snapshot, wanted bool) error {
	held, err := s.driver.holdsSnapshot(ctx, snapshot.Handle)
	if err != nil {
		return err
	}
	return predicate.SnapshotListed(snapshot.Handle, held, wanted)
}
