// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/absent"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/calls"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/groups"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// deleting returns the cases about DeleteVolumeGroupSnapshot.
func deleting() []harness.Case {
	return []harness.Case{deleted(), deletedCutShort(), deletedUnknown(), nameFree()}
}

// deleted checks that a group is deleted with all of its snapshots and nothing else, and that deleting it again is OK. The
// names of other groups begin with the name of the deleted one, or are the beginning of it.
func deleted() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_deleted",
		Text:         "deletes a group snapshot with its snapshots and nothing else, returns OK when the call is repeated, and keeps others with similar names",
		Requirements: []string{"VGS-02", "VGS-21", "VGS-22", "VGS-23"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volumes := needVolumes(ctx, driver, 2)
			requests := named(driver, volumes)
			var taken []*csi.VolumeGroupSnapshot
			for _, request := range requests {
				taken = append(taken, groups.NeedReady(ctx, driver, request))
			}
			group := taken[1]

			_, err := driver.Groups.DeleteVolumeGroupSnapshot(ctx, groups.DeleteRequest(driver, group))

			harness.ExpectOK("VGS-21", err, "a group snapshot that nothing uses is deleted")
			expectDeleted(ctx, driver, group)
			_, err = driver.Groups.DeleteVolumeGroupSnapshot(ctx, groups.DeleteRequest(driver, group))
			harness.ExpectOK("VGS-23", err, "a group snapshot that does not exist is OK")

			for _, volume := range volumes {
				_, err := driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, volume, driver.Capability()))
				suite.Must("VGS-21", status.Code(err) != codes.NotFound, "a group snapshot is deleted with its snapshots and nothing else\nvolume %s, which had a snapshot in it, is not found any more", volume.GetVolumeId())
			}
			for _, i := range []int{0, 2} {
				_, err = driver.Groups.GetVolumeGroupSnapshot(ctx, groups.GetRequest(driver, taken[i]))
				suite.Must("VGS-21", status.Code(err) != codes.NotFound, "a group snapshot is deleted with its snapshots and nothing else\n%s, which is another one of the same volumes, is not found any more", taken[i].GetGroupSnapshotId())
				again, err := driver.Groups.CreateVolumeGroupSnapshot(ctx, requests[i])
				why := fmt.Sprintf("the same request again returns the same group snapshot\nthe name is %q, and the one that was deleted had the name %q", requests[i].GetName(), requests[1].GetName())
				harness.ExpectOK("VGS-02", err, why)
				expectSame("VGS-02", why, again.GetGroupSnapshot(), taken[i])
			}
		},
	}
}

// named returns requests for three group snapshots of the volumes. The name of the second begins with the name of the first,
// and the name of the third with the name of the second.
func named(driver *harness.Driver, volumes []*csi.Volume) []*csi.CreateVolumeGroupSnapshotRequest {
	var requests []*csi.CreateVolumeGroupSnapshotRequest
	name := driver.Name()
	for _, ending := range []string{"", "a", "ab"} {
		request := groups.CreateRequest(driver, volumes...)
		request.Name = name + ending
		requests = append(requests, request)
	}
	return requests
}

// expectDeleted waits until the driver finds none of the snapshots of a group whose deletion was OK. It fails the case if
// the driver finds a snapshot, but no longer the group: no call deletes the snapshot then. It warns if the driver still
// finds both.
func expectDeleted(ctx context.Context, driver *harness.Driver, group *csi.VolumeGroupSnapshot) {
	var left []string
	if driver.Settled(ctx, effect.Deletion, func() bool {
		left = existing(ctx, driver, group.GetSnapshots()...)
		return len(left) == 0
	}) {
		return
	}
	const why = "a group snapshot is deleted with all of its snapshots\nDeleteVolumeGroupSnapshot of %s was answered OK, and %v"
	_, err := driver.Groups.GetVolumeGroupSnapshot(ctx, groups.GetRequest(driver, group))
	suite.Must("VGS-21", status.Code(err) != codes.NotFound, why+"\nGetVolumeGroupSnapshot no longer finds the group\nIf deletions take longer, raise settle in the profile's timeouts", group.GetGroupSnapshotId(), left)
	suite.Warn(ctx, "VGS-21", why, group.GetGroupSnapshotId(), left)
}

// existing reports which of the snapshots the driver finds by their ids, by the calls that it
// has.
func existing(ctx context.Context, driver *harness.Driver, of ...*csi.Snapshot) []string {
	var found []string
	for _, snapshot := range of {
		id := snapshot.GetSnapshotId()
		if driver.Claims(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT) {
			if _, err := driver.Controller.GetSnapshot(ctx, snapshots.GetRequest(driver, snapshot)); err == nil {
				found = append(found, fmt.Sprintf("GetSnapshot finds snapshot %s", id))
			}
		}
		if driver.ListsSnapshots() && snapshots.IsListedByID(ctx, driver, id) {
			found = append(found, fmt.Sprintf("ListSnapshots finds snapshot %s", id))
		}
	}
	return found
}

func deletedCutShort() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_deletion_cut_short",
		Text:         "returns OK when DeleteVolumeGroupSnapshot is cut short and repeated",
		Requirements: []string{"VGS-21", "VGS-22", "GEN-07"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			group := groups.Need(ctx, driver, needVolumes(ctx, driver, 2)...)

			_, err := calls.CutShort(ctx, driver, func(ctx context.Context) (*csi.DeleteVolumeGroupSnapshotResponse, error) {
				return driver.Groups.DeleteVolumeGroupSnapshot(ctx, groups.DeleteRequest(driver, group))
			})

			harness.ExpectOK("VGS-22", err, "a call that was cut short and is repeated continues where it left off, and is OK when it is repeated once more")
			expectDeleted(ctx, driver, group)
		},
	}
}

// deletedUnknown deletes by a group_snapshot_id that was never returned.
func deletedUnknown() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_delete_unknown",
		Text:         "returns OK for a group snapshot that does not exist, and keeps those that do",
		Requirements: []string{"VGS-14", "VGS-23", "GEN-15", "GEN-16"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			group := groups.Need(ctx, driver, needVolumes(ctx, driver, 1)...)
			request := groups.DeleteRequest(driver, group)
			request.GroupSnapshotId = absent.Unlike(group.GetGroupSnapshotId())
			request.SnapshotIds = []string{absent.Unlike(request.GetSnapshotIds()[0])}

			_, err := driver.Groups.DeleteVolumeGroupSnapshot(ctx, request)

			harness.ExpectOK("VGS-23", err, fmt.Sprintf("a group snapshot that does not exist is OK\nrequested: group_snapshot_id %q, which the driver has never returned", request.GetGroupSnapshotId()))
			_, err = driver.Groups.GetVolumeGroupSnapshot(ctx, groups.GetRequest(driver, group))
			suite.Must("VGS-14", status.Code(err) != codes.NotFound, "group_snapshot_id identifies one group snapshot\nDeleteVolumeGroupSnapshot was called for %q, which none has, and %s is not found any more", request.GetGroupSnapshotId(), group.GetGroupSnapshotId())
		},
	}
}

// nameFree uses the name of a deleted group snapshot again, and then repeats the deletion. The specification does not say
// how soon the name is free.
func nameFree() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_name_free_after_deletion",
		Text:         "takes another group snapshot with the name of a deleted one, and keeps it when the deletion is repeated",
		Requirements: []string{"VGS-18", "VGS-22", "VGS-14", "VGS-23"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := groups.CreateRequest(driver, needVolumes(ctx, driver, 1)...)
			first := groups.NeedReady(ctx, driver, request)
			harness.NeedOK(driver.Groups.DeleteVolumeGroupSnapshot(ctx, groups.DeleteRequest(driver, first)))

			var second *csi.CreateVolumeGroupSnapshotResponse
			var err error
			driver.Settled(ctx, effect.FreeName, func() bool {
				second, err = driver.Groups.CreateVolumeGroupSnapshot(ctx, request)
				return err == nil || status.Code(err) == codes.ResourceExhausted
			})
			groups.SkipUngrouped(err)
			suite.Should(ctx, "VGS-18", err == nil, "the group snapshot of the name was deleted, and the name cannot be used again\ngot: %v", err)
			if err != nil || second.GetGroupSnapshot().GetGroupSnapshotId() == first.GetGroupSnapshotId() {
				return
			}

			_, err = driver.Groups.DeleteVolumeGroupSnapshot(ctx, groups.DeleteRequest(driver, first))
			harness.ExpectOK("VGS-23", err, "a group snapshot that does not exist is OK, also when another one has its name")
			_, err = driver.Groups.GetVolumeGroupSnapshot(ctx, groups.GetRequest(driver, second.GetGroupSnapshot()))
			suite.Must("VGS-14", status.Code(err) != codes.NotFound, "group_snapshot_id identifies one group snapshot\nthe deletion of %s was repeated, and %s, which was taken later with the same name, is not found any more", first.GetGroupSnapshotId(), second.GetGroupSnapshot().GetGroupSnapshotId())
		},
	}
}
