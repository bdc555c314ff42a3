// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// taking returns the cases about CreateSnapshot.
func taking() []harness.Case {
	return []harness.Case{snapshotTaken(), snapshotAgain(), snapshotOtherVolume(), snapshotNames(), snapshotNameFree(), snapshotAtOnce(), snapshotCutShort(), snapshotUnknownVolume(), snapshotAfterDeletion()}
}

// snapshotTaken checks that a snapshot has an id, the id of its volume, and the time when it was taken. Its size may be
// unknown, and only plugins with SNAPSHOT_ACCESSIBILITY_CONSTRAINTS say where it is usable.
func snapshotTaken() harness.Case {
	return harness.Case{
		ID:           "snapshot_volume",
		Text:         "takes a snapshot, and returns its volume and when it was taken",
		Requirements: []string{"CS-08", "CS-10", "CS-12", "CS-13", "CS-22", "SN-01", "SN-02", "SN-03", "SN-04"},
		Needs:        needsSnapshots(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))

			response, err := driver.Controller.CreateSnapshot(ctx, snapshots.CreateRequest(driver, volume))

			skipWithoutSpace(err)
			harness.ExpectOK("CS-22", err, "a plugin that claims CREATE_DELETE_SNAPSHOT takes snapshots")
			snapshot := response.GetSnapshot()
			suite.Must("SN-01", snapshot.GetSnapshotId() != "", "snapshot_id is required, and is empty")
			suite.Must("SN-02", snapshot.GetSourceVolumeId() == volume.GetVolumeId(), "source_volume_id is required\nrequested: %s\ngot: %q", volume.GetVolumeId(), snapshot.GetSourceVolumeId())
			suite.Must("SN-04", snapshot.GetSizeBytes() >= 0, "size_bytes is not negative, and is %d", snapshot.GetSizeBytes())
			expectTime(ctx, snapshot)
			expectTopology(ctx, driver, snapshot)
		},
	}
}

// expectTime judges creation_time. The clock of the storage system may differ from this machine's.
func expectTime(ctx context.Context, snapshot *csi.Snapshot) {
	const tolerated = time.Hour
	taken := snapshot.GetCreationTime()
	suite.Must("SN-03", taken.IsValid() && taken.GetSeconds() > 0, "creation_time is required, and is {%s}", taken)
	off := time.Since(taken.AsTime()).Round(time.Second)
	suite.Should(ctx, "SN-03", off.Abs() <= tolerated, "creation_time is when the snapshot was taken, and is %s, which is %s ago: a backup that selects snapshots by it takes the wrong one", taken.AsTime(), off)
}

// expectTopology judges accessible_topology if no topology was requested: the driver may report the topologies in which the
// snapshot is usable.
func expectTopology(ctx context.Context, driver *harness.Driver, snapshot *csi.Snapshot) {
	topologies := messages.Segments(snapshot.GetAccessibleTopology())
	claims := driver.ClaimsPlugin(csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS)
	suite.Must("CS-12", claims || len(topologies) == 0, "a plugin that returns accessible_topology of a snapshot claims SNAPSHOT_ACCESSIBILITY_CONSTRAINTS\ngot: %s", topologies)
	known := driver.Segments()
	for _, term := range topologies {
		suite.Should(ctx, "CS-13", len(known) == 0 || matchesSome(known, term),
			"the snapshot is usable from %s, which no node reports\nif there are nodes besides those whose endpoints were given, name their segments in the profile", term)
	}
}

// snapshotUnknownVolume checks that CreateSnapshot fails for a volume that was deleted. The code is not specified.
func snapshotUnknownVolume() harness.Case {
	return harness.Case{
		ID:           "snapshot_unknown_volume",
		Text:         "refuses to take a snapshot of a volume that was deleted",
		Requirements: []string{"CS-17", "GEN-09", "GEN-15", "GEN-16"},
		Needs:        needsSnapshots(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := deletion.Volume(ctx, driver)
			driver.Settled(ctx, effect.Unknown, func() bool { return status.Code(validate(ctx, driver, volume)) == codes.NotFound })

			request := snapshots.CreateRequest(driver, volume)
			for _, why := range []string{"there is no volume to take a snapshot of", "there still is none when the call is repeated, as a CO does"} {
				_, err := driver.Controller.CreateSnapshot(ctx, request)

				if err == nil {
					deletion.MustNotList(ctx, driver, volume)
				}
				harness.ExpectRefused(ctx, "CS-17", err, why)
			}
			shouldLeaveNothing(ctx, driver, volume)
		},
	}
}

// snapshotAfterDeletion repeats a call whose snapshot and volume were deleted. The code is not specified.
func snapshotAfterDeletion() harness.Case {
	return harness.Case{
		ID:           "snapshot_after_deletion",
		Text:         "refuses to take a snapshot again after it was deleted, and its volume with it",
		Requirements: []string{"CS-17", "GEN-09", "GEN-15", "GEN-16"},
		Needs:        needsSnapshots(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			request := snapshots.CreateRequest(driver, volume)
			from := contentOf(driver, snapshots.NeedReady(ctx, driver, request), volume)
			mustDelete(ctx, driver, from)
			if from.exists(ctx) {
				suite.CouldNotTell("snapshot %s was deleted, and the driver still finds it", from.GetSnapshot().GetSnapshotId())
			}
			deletion.Need(ctx, driver, volume)
			driver.Settled(ctx, effect.Unknown, func() bool { return status.Code(validate(ctx, driver, volume)) == codes.NotFound })

			_, err := driver.Controller.CreateSnapshot(ctx, request)

			if err == nil {
				deletion.MustNotList(ctx, driver, volume)
			}
			harness.ExpectRefused(ctx, "CS-17", err, "the snapshot of the name was deleted, and its volume too: there is nothing to answer with, and no volume to take a snapshot of")
			shouldLeaveNothing(ctx, driver, volume)
		},
	}
}
