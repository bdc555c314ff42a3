// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/groups"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// getting returns the cases about GetVolumeGroupSnapshot.
func getting() []harness.Case { return []harness.Case{got(), gotUnknown(), otherMembers()} }

func got() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_got",
		Text:         "returns the same group snapshot from GetVolumeGroupSnapshot as from CreateVolumeGroupSnapshot, also once there is another one and a volume is deleted",
		Requirements: []string{"SV-09", "VGS-16", "VGS-17", "VGS-33", "SN-09", "DV-03"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volumes := needVolumes(ctx, driver, 2)
			group := groups.Need(ctx, driver, volumes...)

			response, err := driver.Groups.GetVolumeGroupSnapshot(ctx, groups.GetRequest(driver, group))

			harness.ExpectOK("SV-09", err, "a group controller that claims CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT returns the group snapshot")
			expectSame("VGS-33", "GetVolumeGroupSnapshot returns the group snapshot that CreateVolumeGroupSnapshot returned", response.GetGroupSnapshot(), group)
			expectInGroup(response.GetGroupSnapshot())
			expectReadiness(ctx, response.GetGroupSnapshot())
			suite.Must("VGS-33", response.GetGroupSnapshot().GetReadyToUse(), "CreateVolumeGroupSnapshot returned ready_to_use true for %s, and GetVolumeGroupSnapshot returns false", group.GetGroupSnapshotId())

			other := groups.Need(ctx, driver, volumes...)
			expectGot(ctx, driver, "VGS-33", "GetVolumeGroupSnapshot returns a group snapshot, whatever other ones there are of the same volumes", group, other)
			if deleteSource(ctx, driver, volumes[0]) {
				expectGot(ctx, driver, "DV-03", "a volume is deleted without its snapshots, or not at all", group, other)
			}
		},
	}
}

// expectGot fails the case by the clause unless GetVolumeGroupSnapshot returns the group snapshots as they were taken.
func expectGot(ctx context.Context, driver *harness.Driver, clause, why string, taken ...*csi.VolumeGroupSnapshot) {
	for _, group := range taken {
		response, err := driver.Groups.GetVolumeGroupSnapshot(ctx, groups.GetRequest(driver, group))
		harness.ExpectOK(clause, err, why)
		expectSame(clause, why, response.GetGroupSnapshot(), group)
		expectInGroup(response.GetGroupSnapshot())
	}
}

// deleteSource deletes a volume that is in a group snapshot, and reports whether the driver has deleted it. A driver that
// still needs the volume refuses, which other cases judge.
func deleteSource(ctx context.Context, driver *harness.Driver, volume *csi.Volume) bool {
	if _, err := driver.Controller.DeleteVolume(ctx, deletion.Request(driver, volume)); err != nil {
		return false
	}
	return driver.Settled(ctx, effect.Unknown, func() bool {
		_, err := driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, volume, driver.Capability()))
		return status.Code(err) == codes.NotFound
	})
}

// gotUnknown gets a group and its snapshot before and after the group is deleted, and restores the snapshot. It repeats that
// with a group whose volume is deleted, if the driver deletes it.
func gotUnknown() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_get_unknown",
		Text:         "returns NOT_FOUND for a group snapshot that was deleted, also after its volume, for its snapshot, and for a volume from that",
		Requirements: []string{"VGS-21", "VGS-29", "GS-02", "CREATE-05", "CV-07", "GEN-15", "GEN-16"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volumes := needVolumes(ctx, driver, 1)
			expectUnknownOnceDeleted(ctx, driver, groups.Need(ctx, driver, volumes...))
			if group := groups.Need(ctx, driver, volumes...); deleteSource(ctx, driver, volumes[0]) {
				expectUnknownOnceDeleted(ctx, driver, group)
			}
		},
	}
}

// expectUnknownOnceDeleted deletes a group of one snapshot, and fails the case unless both are unknown then. A driver whose list
// still has the snapshot may be right to know it.
func expectUnknownOnceDeleted(ctx context.Context, driver *harness.Driver, group *csi.VolumeGroupSnapshot) {
	member := group.GetSnapshots()[0]
	existing(ctx, driver, member) // which a driver may remember
	_, _ = driver.Groups.GetVolumeGroupSnapshot(ctx, groups.GetRequest(driver, group))
	harness.NeedOK(driver.Groups.DeleteVolumeGroupSnapshot(ctx, groups.DeleteRequest(driver, group)))

	var err error
	driver.Settled(ctx, effect.Unknown, func() bool {
		_, err = driver.Groups.GetVolumeGroupSnapshot(ctx, groups.GetRequest(driver, group))
		return status.Code(err) == codes.NotFound
	})

	harness.ExpectRefused(ctx, "VGS-29", err, "the group snapshot does not exist", codes.NotFound)
	if driver.ListsSnapshots() && !driver.Settled(ctx, effect.Deletion, func() bool { return snapshots.Listed(ctx, driver, member.GetSnapshotId()) == nil }) {
		suite.Warn(ctx, "VGS-21", "a group snapshot is deleted with all of its snapshots\nGetVolumeGroupSnapshot no longer finds %s, and ListSnapshots still has %s, which was part of it", group.GetGroupSnapshotId(), member.GetSnapshotId())
		return
	}
	expectMemberUnknown(ctx, driver, member)
}

// expectMemberUnknown fails the case unless calls for the snapshot of a deleted group are refused as for a snapshot that
// does not exist.
func expectMemberUnknown(ctx context.Context, driver *harness.Driver, member *csi.Snapshot) {
	const why = "the snapshot does not exist: it was deleted with its group"
	if driver.Claims(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT) {
		var err error
		driver.Settled(ctx, effect.Unknown, func() bool {
			_, err = driver.Controller.GetSnapshot(ctx, snapshots.GetRequest(driver, member))
			return status.Code(err) == codes.NotFound
		})
		harness.ExpectRefused(ctx, "GS-02", err, why, codes.NotFound)
	}
	if driver.ListsSnapshots() {
		suite.Should(ctx, "VGS-21", !snapshots.IsListedByID(ctx, driver, member.GetSnapshotId()), "%s\nListSnapshots without snapshot_id does not have it, but with snapshot_id %s it still does", why, member.GetSnapshotId())
	}
	if !driver.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT) {
		return // it need not know snapshots as sources
	}
	asked := driver.Volume(1).Within(driver.Zones(1)...).OfBytes(max(driver.Size(), member.GetSizeBytes()))
	got := creation.CreateFrom(ctx, driver, messages.FromSnapshot(member.GetSnapshotId()), asked)
	suite.Must("CREATE-05", got.Code == codes.NotFound, "%s, so that no volume can be created from it, which is NOT_FOUND\nrequested: a volume from snapshot %s\ngot: %s", why, member.GetSnapshotId(), got)
	creation.ExpectNothingLeft(ctx, got)
}

// otherMembers sends snapshot_ids that are not the group's. A driver that can detect that should refuse them.
func otherMembers() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_other_members",
		Text:         "should return INVALID_ARGUMENT for snapshot_ids that are not those of the group snapshot",
		Requirements: []string{"VGS-25", "VGS-27", "VGS-31", "VGS-32", "GEN-15", "GEN-16"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			group := groups.Need(ctx, driver, needVolumes(ctx, driver, 2)...)
			get, remove := groups.GetRequest(driver, group), groups.DeleteRequest(driver, group)
			get.SnapshotIds, remove.SnapshotIds = get.GetSnapshotIds()[:1], remove.GetSnapshotIds()[:1]
			const why = "snapshot_ids lacks one of the snapshots of the group"

			_, err := driver.Groups.GetVolumeGroupSnapshot(ctx, get)
			expectMismatch(ctx, err, "VGS-31", "VGS-32", why)
			_, err = driver.Groups.DeleteVolumeGroupSnapshot(ctx, remove)
			expectMismatch(ctx, err, "VGS-25", "VGS-27", why)
		},
	}
}

// expectMismatch warns by the first clause if the call was answered OK, and by the second if it was refused with another code
// than INVALID_ARGUMENT.
func expectMismatch(ctx context.Context, err error, checked, code, why string) {
	if err == nil {
		suite.Warn(ctx, checked, "%s, which should be an error\ngot: OK", why)
		return
	}
	harness.ExpectInvalidRefused(ctx, code, err, why, codes.InvalidArgument)
}
