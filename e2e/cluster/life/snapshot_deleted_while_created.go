// SPDX-License-Identifier: Apache-2.0

package life

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// snapshotDeletedWhileCreated deletes a VolumeSnapshot before it is known whether its snapshot exists: the driver's answer
// is delayed, or was lost. The snapshotter repeats the call until it knows, and then deletes the snapshot.
func snapshotDeletedWhileCreated() []harness.Case {
	var cases []harness.Case
	for _, c := range []struct {
		id, text string
		rule     trace.Rule
	}{
		{
			"snapshot_deleted_while_created", "deletes the snapshot of a VolumeSnapshot that is deleted while CreateSnapshot is under way",
			trace.Rule{Hold: trace.Duration(time.Minute)},
		},
		{
			"snapshot_deleted_while_created_lost", "deletes the snapshot of a VolumeSnapshot that is deleted after an answer to CreateSnapshot was lost",
			trace.Rule{Hold: trace.Duration(time.Minute), Code: "DEADLINE_EXCEEDED", Message: "the answer was lost", Forward: true},
		},
	} {
		cases = append(cases, harness.Case{
			ID: c.id, Text: c.text, Requirements: []string{"K8S-N4", "K8S-N5", "LS-01"},
			Needs: needs.All(needs.Zones(1), needs.OneProvisioner(), needs.Snapshots(), needs.Recorder()),
			Long:  true,
			Run: func(ctx context.Context, s *harness.Scenario) {
				claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate()))
				volume := claims.MustBind(ctx, s, claim)
				rule := snapshots.Inject(ctx, s, volume, c.rule)
				snapshot := snapshots.Create(ctx, s, claim)
				rule.MustApply(ctx, 1)
				snapshots.MustBeDeleted(ctx, s, snapshot)
				rule.End(ctx)
				snapshots.LeavesNone(ctx, s, "K8S-N4", snapshot)
				snapshots.LetsGo(ctx, s, "K8S-N5", claim)
			},
		})
	}
	return append(cases, severalSnapshotsDeletedWhileCreated())
}

// severalSnapshotsDeletedWhileCreated deletes several VolumeSnapshots, since the outcome of a single one may depend on
// timing. The case answers their calls, so the driver creates no snapshots. Each call fails only once, because pauses grow
// with each failure, and all fail at the same time; the snapshotter makes ten calls concurrently.
func severalSnapshotsDeletedWhileCreated() harness.Case {
	return harness.Case{
		ID:           "snapshot_deleted_while_created_several",
		Text:         "deletes the snapshots of several VolumeSnapshots that are deleted while CreateSnapshot is pending",
		Requirements: []string{"K8S-N4", "K8S-N5"},
		Needs:        needs.All(needs.Zones(1), needs.OneProvisioner(), needs.Snapshots(), needs.Recorder()),
		Long:         true,
		Run: func(ctx context.Context, s *harness.Scenario) {
			const several = 6
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate()))
			volume := claims.MustBind(ctx, s, claim)
			pending := snapshots.Inject(ctx, s, volume, trace.Rule{Delay: trace.Duration(time.Minute), Code: "DEADLINE_EXCEEDED", Message: "said by csi-topo"})
			var all []*unstructured.Unstructured
			for range several {
				snapshot := snapshots.Create(ctx, s, claim)
				snapshots.Provide(ctx, s, volume, snapshot)
				all = append(all, snapshot)
			}
			pending.MustApply(ctx, several)
			for _, snapshot := range all {
				snapshots.MustBeDeleted(ctx, s, snapshot)
			}
			pending.End(ctx)
			snapshots.LeavesNone(ctx, s, "K8S-N4", all...)
			snapshots.LetsGo(ctx, s, "K8S-N5", claim)
		},
	}
}
