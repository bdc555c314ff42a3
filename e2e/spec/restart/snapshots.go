// SPDX-License-Identifier: Apache-2.0

package restart

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// snapshotsCases returns the cases about snapshots that were taken before the restart.
func snapshotsCases() []harness.Case { return []harness.Case{snapshotKept(), groupKept()} }

func snapshotKept() harness.Case {
	return harness.Case{
		ID:           "restart_snapshot",
		Text:         "has the same snapshots after a restart, lists them, restores them, and deletes them",
		Requirements: []string{"CS-01", "CS-03", "LS-01", "DS-01"},
		Needs:        needs(2, csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			request := snapshots.CreateRequest(driver, volume)
			snapshot := snapshots.NeedReady(ctx, driver, request)
			id := snapshot.GetSnapshotId()

			restartLater(ctx, driver)

			missing := isUnlisted(ctx, driver, id)
			suite.Each([]func(){
				func() { expectSameSnapshot(ctx, driver, volume, request, snapshot) },
				func() {
					suite.Must("LS-01", !missing, "CreateSnapshot answered OK with snapshot %s; then the driver was restarted, and ListSnapshots, which returns all snapshots, did not have it", id)
				},
				func() { expectRestored(ctx, driver, snapshot, volume) },
				func() {
					_, err := driver.Controller.DeleteSnapshot(ctx, snapshots.DeleteRequest(driver, snapshot))
					harness.ExpectOK("DS-01", err, fmt.Sprintf("snapshot %s was taken before the driver was restarted, nothing uses it, and it is deleted", id))
				},
			}, func(expect func()) { expect() })
		},
	}
}

// expectSameSnapshot repeats the call that took the snapshot before the restart. snapshot_again judges a driver that never
// takes one snapshot for a name: that does not depend on the restart.
func expectSameSnapshot(ctx context.Context, driver *harness.Driver, volume *csi.Volume, request *csi.CreateSnapshotRequest, before *csi.Snapshot) {
	again, err := driver.Controller.CreateSnapshot(ctx, request)
	same := err == nil && again.GetSnapshot().GetSnapshotId() == before.GetSnapshotId()
	if !same && !takesOneForAName(ctx, driver, volume) {
		suite.Reduced(ctx, "a repeated CreateSnapshot does not answer the same without a restart either: see snapshot_again")
		return
	}
	asked := fmt.Sprintf("CreateSnapshot answered OK for the name %s with snapshot %s; then the driver was restarted, and CreateSnapshot was repeated", request.GetName(), before.GetSnapshotId())
	harness.ExpectOK("CS-03", err, asked)
	suite.Must("CS-03", same, "%s: it answered snapshot %s", asked, again.GetSnapshot().GetSnapshotId())
	expectSameTime("CS-03", asked, again.GetSnapshot(), before)
}

// takesOneForAName reports whether a call that takes a snapshot answers the same when repeated. If no snapshot can be taken
// it reports true, because nothing else is known.
func takesOneForAName(ctx context.Context, driver *harness.Driver, volume *csi.Volume) bool {
	request := snapshots.CreateRequest(driver, volume)
	first, err := driver.Controller.CreateSnapshot(ctx, request)
	if err != nil {
		return true
	}
	again, err := driver.Controller.CreateSnapshot(ctx, request)
	return err == nil && again.GetSnapshot().GetSnapshotId() == first.GetSnapshot().GetSnapshotId()
}

// isUnlisted reports whether ListSnapshots, if the driver claims it, leaves out the snapshot.
func isUnlisted(ctx context.Context, driver *harness.Driver, id string) bool {
	if !driver.ListsSnapshots() {
		return false
	}
	return !driver.Settled(ctx, effect.Creation, func() bool { return snapshots.Listed(ctx, driver, id) != nil })
}

// expectRestored restores the snapshot of the volume, and deletes the result.
func expectRestored(ctx context.Context, driver *harness.Driver, snapshot *csi.Snapshot, volume *csi.Volume) {
	response, err := driver.Controller.CreateVolume(ctx, restoreOf(driver, snapshot, volume, driver.Volume(1)))
	if status.Code(err) == codes.ResourceExhausted {
		return // the room for copies is unknown
	}
	harness.ExpectOK("CS-01", err, fmt.Sprintf("snapshot %s was taken before the driver was restarted, and is restored", snapshot.GetSnapshotId()))
	deletion.Need(ctx, driver, response.GetVolume())
}

// restoreOf returns the call that restores the snapshot of the volume, under a new name, to a requested volume that is large
// enough.
func restoreOf(driver *harness.Driver, snapshot *csi.Snapshot, volume *csi.Volume, asked model.Request) *csi.CreateVolumeRequest {
	request := driver.CreateVolumeRequest(asked.OfBytes(max(driver.Size(), snapshot.GetSizeBytes(), volume.GetCapacityBytes())))
	request.VolumeContentSource = messages.FromSnapshot(snapshot.GetSnapshotId())
	return request
}
