// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/groups"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// members returns the cases about the snapshots of a group.
func members() []harness.Case {
	return []harness.Case{reported(), deletedAlone(), independent()}
}

// reported checks that ListSnapshots has all snapshots, however they were created, and that GetSnapshot, as it should,
// finds the snapshots of a group.
func reported() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_members_reported",
		Text:         "lists the snapshots of a group with its group_snapshot_id, also once there is another one and a volume is deleted, and should return them from GetSnapshot",
		Requirements: []string{"LS-01", "LS-02", "SN-07", "SN-14", "GS-01", "DV-03"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			suite.Should(ctx, "SN-14", driver.Claims(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT),
				"a plugin that takes group snapshots should implement GetSnapshot, which reports single snapshots of a group, and ControllerGetCapabilities does not list GET_SNAPSHOT")
			volumes := needVolumes(ctx, driver, 2)
			group := groups.Need(ctx, driver, volumes...)
			expectMembersReported(ctx, driver, "LS-01", "ListSnapshots has all snapshots within the given parameters, however they were created", group)
			expectMembersReported(ctx, driver, "LS-01", "ListSnapshots has all snapshots of all group snapshots of a volume", group, groups.Need(ctx, driver, volumes...))
			expectShortPage(ctx, driver)
			if deleteSource(ctx, driver, volumes[0]) {
				expectMembersReported(ctx, driver, "DV-03", "snapshots stay in ListSnapshots when their volume is deleted", group)
			}
		},
	}
}

// expectShortPage fails the case if the first page of ListSnapshots has more snapshots than max_entries, while a group has
// more.
func expectShortPage(ctx context.Context, driver *harness.Driver) {
	const most = 1
	if !driver.ListsSnapshots() {
		return
	}
	page, err := driver.Controller.ListSnapshots(ctx, &csi.ListSnapshotsRequest{MaxEntries: most, Secrets: driver.Profile().Secrets.ListSnapshots})
	suite.Must("LS-02", err != nil || len(page.GetEntries()) <= most, "ListSnapshots has no more entries than max_entries, which is %d, and has %d: each snapshot of a group is one", most, len(page.GetEntries()))
}

// expectMembersReported fails the case, by the clause if a list lacks a snapshot, unless each call that reports snapshots
// returns the snapshots of the groups.
func expectMembersReported(ctx context.Context, driver *harness.Driver, clause, why string, taken ...*csi.VolumeGroupSnapshot) {
	for _, group := range taken {
		for _, member := range group.GetSnapshots() {
			var told map[string]*csi.Snapshot
			var missing []string
			driver.Settled(ctx, effect.Creation, func() bool {
				told, missing = reports(ctx, driver, member), nil
				for call, got := range told {
					if got == nil && call != "GetSnapshot" {
						missing = append(missing, call)
					}
				}
				return len(missing) == 0
			})
			slices.Sort(missing)
			suite.Must(clause, len(missing) == 0, "%s\nsnapshot %s, which is one of group snapshot %s, is missing from: %s", why, member.GetSnapshotId(), group.GetGroupSnapshotId(), strings.Join(missing, ", "))
			for call, got := range told {
				expectReported(ctx, call, group.GetGroupSnapshotId(), got, member)
			}
		}
	}
}

// reports is like snapshots.Reported, and adds the results of ListSnapshots with filters that match the snapshot.
func reports(ctx context.Context, driver *harness.Driver, snapshot *csi.Snapshot) map[string]*csi.Snapshot {
	told := snapshots.Reported(ctx, driver, snapshot)
	if !driver.ListsSnapshots() {
		return told
	}
	for call, request := range map[string]*csi.ListSnapshotsRequest{
		"ListSnapshots with snapshot_id":      {SnapshotId: snapshot.GetSnapshotId()},
		"ListSnapshots with source_volume_id": {SourceVolumeId: snapshot.GetSourceVolumeId()},
	} {
		listed, err := snapshots.Read(ctx, driver, request)
		if err != nil {
			continue // see snapshots_by_source
		}
		told[call] = nil
		if i := slices.IndexFunc(listed, func(s *csi.Snapshot) bool { return s.GetSnapshotId() == snapshot.GetSnapshotId() }); i >= 0 {
			told[call] = listed[i]
		}
	}
	return told
}

// expectReported judges a call's report of a snapshot of a group. Without group_snapshot_id, the snapshot can be deleted
// alone, which another case tries.
func expectReported(ctx context.Context, call, group string, got, member *csi.Snapshot) {
	suite.Must("GS-01", got.GetSnapshotId() == member.GetSnapshotId() && got.GetSourceVolumeId() == member.GetSourceVolumeId(),
		"%s returns the snapshot that CreateVolumeGroupSnapshot returned\nwanted: %s of volume %s\ngot: %s of volume %s", call, member.GetSnapshotId(), member.GetSourceVolumeId(), got.GetSnapshotId(), got.GetSourceVolumeId())
	switch id := got.GetGroupSnapshotId(); id {
	case group:
	case "":
		suite.Warn(ctx, "SN-07", "%s returns snapshot %s without group_snapshot_id, and it is part of group snapshot %q: a CO that reads this one deletes the snapshot alone", call, member.GetSnapshotId(), group)
	default:
		suite.Fail("SN-07", "group_snapshot_id is the id of the group that a snapshot is part of\nwanted: %q\ngot: %q, from %s", group, id, call)
	}
}

// deletedAlone deletes a snapshot that has a group_snapshot_id alone, which a CO must not do. A driver may allow it, or
// refuse it with one particular code.
func deletedAlone() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_member_deleted_alone",
		Text:         "deletes a snapshot of a group by DeleteSnapshot, or returns INVALID_ARGUMENT and keeps the group, also once its volume is deleted",
		Requirements: []string{"SN-07", "SN-10", "SN-12", "SN-13", "GEN-15", "GEN-16"},
		Needs:        needs(2, harness.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volumes := needVolumes(ctx, driver, 2)
			group := groups.Need(ctx, driver, volumes...)
			snapshot := member(group, volumes[0])

			if !expectKept(ctx, driver, group, snapshot) || deleteSource(ctx, driver, volumes[0]) && !expectKept(ctx, driver, group, snapshot) {
				return
			}
			_, err := driver.Groups.DeleteVolumeGroupSnapshot(ctx, groups.DeleteRequest(driver, group))
			harness.ExpectOK("SN-12", err, "such a snapshot is deleted with its group, by DeleteVolumeGroupSnapshot")
		},
	}
}

// expectKept deletes a snapshot of a group alone. If the driver refuses that, it fails the case unless the refusal is
// right, the group exists, and each report of the snapshot names it.
func expectKept(ctx context.Context, driver *harness.Driver, group *csi.VolumeGroupSnapshot, snapshot *csi.Snapshot) (kept bool) {
	_, err := driver.Controller.DeleteSnapshot(attempt.Once(ctx, codes.FailedPrecondition), snapshots.DeleteRequest(driver, snapshot))
	if err == nil {
		return false
	}
	harness.ExpectRefused(ctx, "SN-13", err, "a snapshot that is part of a group, and is not deleted alone", codes.InvalidArgument)
	_, err = driver.Groups.GetVolumeGroupSnapshot(ctx, groups.GetRequest(driver, group))
	suite.Must("SN-12", status.Code(err) != codes.NotFound, "such a snapshot is deleted with its group, by DeleteVolumeGroupSnapshot\nDeleteSnapshot of it was refused, and group snapshot %s is not found any more", group.GetGroupSnapshotId())
	for call, now := range reports(ctx, driver, snapshot) {
		suite.Must("SN-07", now == nil || now.GetGroupSnapshotId() != "",
			"a snapshot that must not be deleted alone has the group_snapshot_id of its group\nDeleteSnapshot of %s was refused, and %s returns it without", snapshot.GetSnapshotId(), call)
	}
	return true
}

// independent checks that a snapshot without group_snapshot_id can be deleted alone, also when its volume has group
// snapshots.
func independent() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_beside_snapshot",
		Text:         "takes and deletes a snapshot of a volume that is in a group snapshot, each by itself",
		Requirements: []string{"SN-08", "DS-01", "VGS-21"},
		Needs:        needs(2, harness.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volumes := needVolumes(ctx, driver, 2)
			group, alone := groups.Need(ctx, driver, volumes...), snapshots.Need(ctx, driver, volumes[0])
			kept := snapshots.Need(ctx, driver, volumes[0])
			if alone.GetGroupSnapshotId() != "" {
				suite.Skip(suite.ByCapability, "CreateSnapshot returns a snapshot that is part of a group, %s: it must not be deleted alone", alone.GetGroupSnapshotId())
			}

			before := existing(ctx, driver, kept)

			_, err := driver.Controller.DeleteSnapshot(ctx, snapshots.DeleteRequest(driver, alone))

			harness.ExpectOK("SN-08", err, "a snapshot without group_snapshot_id can be deleted separately")
			_, err = driver.Groups.GetVolumeGroupSnapshot(ctx, groups.GetRequest(driver, group))
			suite.Must("SN-08", status.Code(err) != codes.NotFound, "snapshot %s, which is independent, was deleted, and group snapshot %s of the same volume is not found any more", alone.GetSnapshotId(), group.GetGroupSnapshotId())
			harness.NeedOK(driver.Groups.DeleteVolumeGroupSnapshot(ctx, groups.DeleteRequest(driver, group)))
			left := existing(ctx, driver, kept)
			suite.Must("VGS-21", slices.Equal(left, before), "a group snapshot is deleted with its snapshots and nothing else\nsnapshot %s, which is independent and of the same volume, was: %v\nand is now: %v", kept.GetSnapshotId(), before, left)
		},
	}
}
