// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/calls"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// lifetime returns the cases about deleting a snapshot, and its volume.
func lifetime() []harness.Case {
	return []harness.Case{snapshotReady(), snapshotOutlivesVolume(), snapshotDeletedAgain(), snapshotDeletedByPath()}
}

// snapshotOutlivesVolume deletes a volume with snapshots: a driver that does so keeps them listed and usable as sources. A
// driver that cannot does not change the volume.
func snapshotOutlivesVolume() harness.Case {
	return harness.Case{
		ID:           "snapshot_outlives_volume",
		Text:         "should delete a volume and keep its snapshots; otherwise returns FAILED_PRECONDITION and does not change the volume",
		Requirements: []string{"DV-03", "DV-04", "DV-06", "CS-03", "GEN-15", "GEN-16"},
		Needs:        needsSnapshots(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			request := snapshots.CreateRequest(driver, volume)
			snapshot := snapshots.NeedReady(ctx, driver, request)
			all := append([]*csi.Snapshot{snapshot}, takeAnother(ctx, driver, volume)...)

			_, err := driver.Controller.DeleteVolume(ctx, deletion.Request(driver, volume))

			if err != nil {
				harness.ExpectRefused(ctx, "DV-04", err, "the volume cannot be deleted because of its snapshots", codes.FailedPrecondition)
				suite.Warn(ctx, "DV-06", "a volume should be independent of its snapshots, and volume %s cannot be deleted before snapshot %s: a PersistentVolume that is deleted stays until its snapshots are deleted",
					volume.GetVolumeId(), snapshot.GetSnapshotId())
				expectExists(ctx, driver, "DV-04", volume, "a volume that is not deleted because of its snapshots is not altered in any way")
				return
			}
			for _, snapshot := range all {
				expectListed(ctx, driver, "DV-03", "the snapshots of a deleted volume appear in ListSnapshots", snapshot)
				from := contentOf(driver, snapshot, volume)
				asked := driver.Volume(1).OfBytes(from.bytes)
				got := creation.CreateFrom(ctx, driver, from.VolumeContentSource, asked)
				mustHaveRoom(ctx, driver, got, asked)
				expectOK("DV-03", got, "the snapshots of a deleted volume are acceptable as sources")
			}
			again, err := driver.Controller.CreateSnapshot(ctx, request)
			harness.ExpectOK("CS-03", err, fmt.Sprintf("CreateSnapshot is idempotent: snapshot %s exists and is ready to use, and only its volume %s was deleted", snapshot.GetSnapshotId(), volume.GetVolumeId()))
			suite.Must("CS-03", again.GetSnapshot().GetSnapshotId() == snapshot.GetSnapshotId(),
				"CreateSnapshot of %s was answered with %q, and with %q after its volume was deleted", request.GetName(), snapshot.GetSnapshotId(), again.GetSnapshot().GetSnapshotId())
		},
	}
}

// takeAnother takes another snapshot of a volume that may have one. Not every driver takes two.
func takeAnother(ctx context.Context, driver *harness.Driver, volume *csi.Volume) []*csi.Snapshot {
	request := snapshots.CreateRequest(driver, volume)
	response, err := driver.Controller.CreateSnapshot(ctx, request)
	if err != nil {
		suite.Reduced(ctx, "the driver takes no other snapshot of the volume")
		return nil
	}
	return []*csi.Snapshot{waitReady(ctx, driver, request, response.GetSnapshot())}
}

// expectListed fails the case by the clause unless ListSnapshots, if it is claimed, has the snapshot among all others
// and by its id.
func expectListed(ctx context.Context, driver *harness.Driver, clause, why string, snapshot *csi.Snapshot) {
	if !driver.ListsSnapshots() {
		return
	}
	var among, byID bool
	driver.Settled(ctx, effect.Creation, func() bool {
		among = snapshots.Listed(ctx, driver, snapshot.GetSnapshotId()) != nil
		byID = snapshots.IsListedByID(ctx, driver, snapshot.GetSnapshotId())
		return among && byID
	})
	suite.Must(clause, among, "%s\nit lists all snapshots, but not %s", why, snapshot.GetSnapshotId())
	suite.Must(clause, byID, "%s\nit has nothing for snapshot_id %s", why, snapshot.GetSnapshotId())
}

// snapshotDeletedAgain checks that deleting is idempotent, also after a call that was cut short.
func snapshotDeletedAgain() harness.Case {
	return harness.Case{
		ID:           "snapshot_deleted_again",
		Text:         "returns OK for a snapshot that is already deleted, and when DeleteSnapshot is cut short and repeated",
		Requirements: []string{"DS-01", "DS-02", "GEN-07"},
		Needs:        needsSnapshots(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			request := snapshots.DeleteRequest(driver, snapshots.Need(ctx, driver, volume))
			snapshot := snapshots.Need(ctx, driver, volume)
			other := snapshots.DeleteRequest(driver, snapshot)

			_, err := driver.Controller.DeleteSnapshot(ctx, request)
			harness.ExpectOK("DS-01", err, "a snapshot that nothing uses is deleted")
			_, err = driver.Controller.DeleteSnapshot(ctx, request)
			harness.ExpectOK("DS-02", err, "a snapshot that does not exist is OK")

			_, err = calls.CutShort(ctx, driver, func(ctx context.Context) (*csi.DeleteSnapshotResponse, error) {
				return driver.Controller.DeleteSnapshot(ctx, other)
			})
			harness.ExpectOK("DS-01", err, "a call that was cut short and is repeated continues where it left off, and is OK when it is repeated once more")
			gone := driver.Settled(ctx, effect.Deletion, func() bool { return !snapshotExists(ctx, driver, snapshot) })
			suite.Should(ctx, "DS-01", gone, "DeleteSnapshot was answered OK, and the driver still finds snapshot %s", snapshot.GetSnapshotId())
		},
	}
}

// getting returns the cases about GetSnapshot.
func getting() []harness.Case {
	return []harness.Case{snapshotGot(), snapshotGetUnknown()}
}

func needsGet() []harness.Need {
	return needsSnapshots(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT)
}

// snapshotGot checks that GetSnapshot finds a snapshot as soon as CreateSnapshot has returned it, also while it is not
// ready to use.
func snapshotGot() harness.Case {
	return harness.Case{
		ID:           "snapshot_got",
		Text:         "returns the same snapshot from GetSnapshot as from CreateSnapshot, also while it is not ready to use, and after another one was taken",
		Requirements: []string{"CS-24", "GS-01", "GS-04"},
		Needs:        needsGet(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			response, err := driver.Controller.CreateSnapshot(ctx, snapshots.CreateRequest(driver, volume))
			skipWithoutSpace(err)
			snapshot := harness.NeedOK(response, err).GetSnapshot()

			got, err := driver.Controller.GetSnapshot(ctx, snapshots.GetRequest(driver, snapshot))

			if !snapshot.GetReadyToUse() && status.Code(err) == codes.NotFound {
				suite.Fail("GS-04", "a snapshot that is not yet ready to use is retrievable\nrequested: GetSnapshot of %s, which CreateSnapshot returned with ready_to_use false\ngot: %v", snapshot.GetSnapshotId(), err)
			}
			harness.ExpectOK("GS-01", err, "a plugin that claims GET_SNAPSHOT returns the snapshot")
			found := messages.Changes(got.GetSnapshot(), snapshot)
			suite.Must("GS-01", len(found) == 0, "GetSnapshot returns the snapshot that CreateSnapshot returned\nbut %v", found)
			if snapshot.GetReadyToUse() {
				expectReady(ctx, driver, snapshot)
			}
			response, err = driver.Controller.CreateSnapshot(ctx, snapshots.CreateRequest(driver, volume))
			if err != nil {
				suite.Reduced(ctx, "the volume has one snapshot only: the driver takes no second one")
				return
			}
			both := []*csi.Snapshot{snapshot, response.GetSnapshot()}
			for _, taken := range both {
				got := harness.NeedOK(driver.Controller.GetSnapshot(ctx, snapshots.GetRequest(driver, taken)))
				expectOwnTime("GS-01", "GetSnapshot", got.GetSnapshot(), both)
			}
		},
	}
}

// expectReady fails the case if the snapshot is not ready to use according to GetSnapshot, though it is according to
// CreateSnapshot.
func expectReady(ctx context.Context, driver *harness.Driver, snapshot *csi.Snapshot) {
	ready := driver.Settled(ctx, effect.Creation, func() bool {
		return harness.NeedOK(driver.Controller.GetSnapshot(ctx, snapshots.GetRequest(driver, snapshot))).GetSnapshot().GetReadyToUse()
	})
	suite.Must("CS-24", ready, "CreateSnapshot returns ready_to_use false while the snapshot is processed\nit returned true for %s, and GetSnapshot returns false", snapshot.GetSnapshotId())
}

func snapshotGetUnknown() harness.Case {
	return harness.Case{
		ID:           "snapshot_get_unknown",
		Text:         "returns NOT_FOUND from GetSnapshot for a snapshot that was deleted",
		Requirements: []string{"GS-02", "GEN-15", "GEN-16"},
		Needs:        needsGet(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			snapshot := snapshots.Need(ctx, driver, driver.NeedVolume(ctx, driver.Volume(1)))
			_, _ = driver.Controller.GetSnapshot(ctx, snapshots.GetRequest(driver, snapshot)) // which a driver may remember
			harness.NeedOK(driver.Controller.DeleteSnapshot(ctx, snapshots.DeleteRequest(driver, snapshot)))

			var err error
			driver.Settled(ctx, effect.Unknown, func() bool {
				_, err = driver.Controller.GetSnapshot(ctx, snapshots.GetRequest(driver, snapshot))
				return status.Code(err) == codes.NotFound
			})

			harness.ExpectRefused(ctx, "GS-02", err, "the snapshot does not exist", codes.NotFound)
		},
	}
}
