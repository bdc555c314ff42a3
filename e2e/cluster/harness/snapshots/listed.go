// SPDX-License-Identifier: Apache-2.0

package snapshots

import (
	"context"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// MustDelete deletes the VolumeSnapshot, and waits until its content is gone too.
func MustDelete(ctx context.Context, s *harness.Scenario, snapshot Snapshot) {
	object := workload.SnapshotObject(workload.SnapshotKind, snapshot.Name)
	object.SetNamespace(s.Namespace)
	s.Need(s.Resources().Delete(ctx, object), "deleting VolumeSnapshot %s", snapshot.Name)
	s.Until(ctx, s.Target.Timeouts.Delete, "content of VolumeSnapshot "+snapshot.Name+" deleted", func(ctx context.Context) error {
		return harness.Gone(s.Reread(ctx, workload.SnapshotObject(workload.SnapshotContentKind, snapshot.Content)), "VolumeSnapshotContent "+snapshot.Content)
	})
}

// MustList waits until the driver lists the snapshot.
func MustList(ctx context.Context, s *harness.Scenario, snapshot Snapshot) {
	err := s.Within(ctx, s.Target.Timeouts.Delete, func(ctx context.Context) error { return listed(ctx, s, snapshot, true) })
	if predicate.IsMismatch(err) {
		suite.Fail("LS-01", "%v", err)
	}
	s.Check(err)
}

// ShouldNotList waits until the driver no longer lists the snapshot, whose content is gone. The specification sets no time
// limit, so a snapshot that stays in the list is a warning.
func ShouldNotList(ctx context.Context, s *harness.Scenario, snapshot Snapshot) {
	taken := harness.Kept[taken](s)
	taken.ready = slices.DeleteFunc(taken.ready, func(other Snapshot) bool { return other.Name == snapshot.Name })
	err := s.Within(ctx, s.Target.Timeouts.Delete, func(ctx context.Context) error { return listed(ctx, s, snapshot, false) })
	if predicate.IsMismatch(err) {
		suite.Warn(ctx, "LS-01", "%v\nthough DeleteSnapshot was answered OK: nothing shows that its room is free again", err)
		return
	}
	s.Check(err)
}

// listed returns a mismatch unless the driver lists the snapshot, or does not, as wanted.
func listed(ctx context.Context, s *harness.Scenario, snapshot Snapshot, wanted bool) error {
	held, err := s.Driver.HoldsSnapshot(ctx, snapshot.Handle)
	if err != nil {
		return err
	}
	return predicate.SnapshotListed(snapshot.Handle, held, wanted)
}
