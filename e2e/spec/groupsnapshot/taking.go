// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"
	"slices"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/groups"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// taking returns the cases about CreateVolumeGroupSnapshot.
func taking() []harness.Case {
	return []harness.Case{taken(), takenAgain(), otherVolumes(), otherNames(), withClone(), atOnce(), cutShort(), unknownVolume()}
}

// taken checks that a group has an id, the time when it was taken, and one snapshot of each volume, with all fields
// of a snapshot.
func taken() harness.Case {
	return harness.Case{
		ID:   "group_snapshot_volumes",
		Text: "takes a group snapshot of three volumes, and returns one snapshot of each",
		Requirements: []string{
			"SV-09", "VGS-03", "VGS-10", "VGS-14", "VGS-15", "VGS-16", "VGS-17", "SN-01", "SN-02", "SN-03", "SN-04", "SN-06", "SN-09", "CS-12",
		},
		Needs: needs(3),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volumes := needVolumes(ctx, driver, 3)

			response, err := driver.Groups.CreateVolumeGroupSnapshot(ctx, groups.CreateRequest(driver, volumes...))

			groups.SkipUngrouped(err)
			harness.ExpectOK("SV-09", err, "a group controller that claims CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT takes group snapshots")
			group := response.GetGroupSnapshot()
			suite.Must("VGS-10", group.GetGroupSnapshotId() != "", "group_snapshot_id is required, and is empty")
			suite.Must("VGS-10", len(group.GetSnapshots()) > 0, "snapshots are required, and there are none")
			expectEach(group, volumes)
			expectMembers(driver, group)
			expectTime(ctx, "VGS-15", "the group's creation_time", group)
			for _, member := range group.GetSnapshots() {
				expectTime(ctx, "SN-03", "creation_time of snapshot "+member.GetSnapshotId(), member)
			}
			expectReadiness(ctx, group)

			other := groups.Need(ctx, driver, volumes...)
			suite.Must("VGS-14", other.GetGroupSnapshotId() != group.GetGroupSnapshotId(), "group_snapshot_id identifies one group snapshot, and %s was returned for two names", group.GetGroupSnapshotId())
		},
	}
}

// expectEach fails the case unless the group has one snapshot of each volume, and no other.
func expectEach(group *csi.VolumeGroupSnapshot, volumes []*csi.Volume) {
	wanted, got := idsOf(volumes), groups.Sources(group)
	suite.Must("VGS-03", slices.Equal(got, wanted), "a group snapshot has one snapshot of each of source_volume_ids\nrequested: %v\ngot snapshots of: %v", wanted, got)
}

// expectMembers judges the fields of each snapshot of a group.
func expectMembers(driver *harness.Driver, group *csi.VolumeGroupSnapshot) {
	known := map[string]bool{}
	constrained := driver.ClaimsPlugin(csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS)
	expectInGroup(group)
	for _, member := range group.GetSnapshots() {
		id := member.GetSnapshotId()
		suite.Must("SN-01", id != "", "snapshot_id is required, and is empty for the snapshot of volume %s", member.GetSourceVolumeId())
		suite.Must("SN-06", !known[id], "snapshot_id identifies one snapshot, and %s belongs to two volumes", id)
		known[id] = true
		suite.Must("SN-04", member.GetSizeBytes() >= 0, "size_bytes is not negative, and is %d for snapshot %s", member.GetSizeBytes(), id)
		suite.Must("CS-12", constrained || len(member.GetAccessibleTopology()) == 0, "a plugin that returns accessible_topology of a snapshot claims SNAPSHOT_ACCESSIBILITY_CONSTRAINTS\ngot: %s", member.GetAccessibleTopology())
	}
}

// expectInGroup fails the case unless each snapshot of a group names its group.
func expectInGroup(group *csi.VolumeGroupSnapshot) {
	for _, member := range group.GetSnapshots() {
		suite.Must("SN-09", member.GetGroupSnapshotId() == group.GetGroupSnapshotId(),
			"a snapshot inside a group snapshot has the group's group_snapshot_id\nwanted: %q\ngot: %q, for snapshot %s", group.GetGroupSnapshotId(), member.GetGroupSnapshotId(), member.GetSnapshotId())
	}
}

// expectTime judges a creation_time. The clock of the storage system may differ from this machine's.
func expectTime(ctx context.Context, clause, what string, of messages.Taken) {
	const tolerated = time.Hour
	at := of.GetCreationTime()
	suite.Must(clause, at.IsValid() && at.GetSeconds() > 0, "%s is required, and is {%s}", what, at)
	off := time.Since(at.AsTime()).Round(time.Second)
	suite.Should(ctx, clause, off.Abs() <= tolerated, "%s is %s, which is %s ago, and it was taken just now", what, at.AsTime(), off)
}

// expectReadiness compares ready_to_use of a group with ready_to_use of its snapshots.
func expectReadiness(ctx context.Context, group *csi.VolumeGroupSnapshot) {
	waiting := slices.ContainsFunc(group.GetSnapshots(), func(s *csi.Snapshot) bool { return !s.GetReadyToUse() })
	suite.Must("VGS-16", !waiting || !group.GetReadyToUse(), "ready_to_use of a group snapshot is false while that of one of its snapshots is\ngot: %v", group)
	suite.Should(ctx, "VGS-17", waiting || group.GetReadyToUse(), "ready_to_use of a group snapshot should be true when that of all of its snapshots is\ngot: %v", group)
}

// takenAgain checks that a repeated request returns the same group, whatever the order of the volumes.
func takenAgain() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_again",
		Text:         "returns the same group snapshot for a repeated request, also once there is another one, and should for one that names the volumes in another order",
		Requirements: []string{"VGS-02", "VGS-12", "VGS-18", "SN-09", "GEN-15", "GEN-16"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volumes := needVolumes(ctx, driver, 2)
			request := groups.CreateRequest(driver, volumes...)
			first := groups.NeedReady(ctx, driver, request)

			again, err := driver.Groups.CreateVolumeGroupSnapshot(ctx, request)

			harness.ExpectOK("VGS-02", err, "a group snapshot of that name and those volumes exists, and is returned")
			expectSame("VGS-02", "the same request again returns the same group snapshot", again.GetGroupSnapshot(), first)
			expectOnly(ctx, driver, volumes[0], first)

			groups.Need(ctx, driver, volumes...)
			later, err := driver.Groups.CreateVolumeGroupSnapshot(ctx, request)
			harness.ExpectOK("VGS-02", err, "a group snapshot of that name and those volumes exists, and is returned, whatever other ones there are of the volumes")
			expectSame("VGS-02", "the same request again returns the same group snapshot, whatever other ones there are of the volumes", later.GetGroupSnapshot(), first)
			expectInGroup(later.GetGroupSnapshot())

			slices.Reverse(request.SourceVolumeIds)
			turned, err := driver.Groups.CreateVolumeGroupSnapshot(ctx, request)
			if err != nil {
				harness.ExpectRefused(ctx, "VGS-18", err, "a group snapshot of other volumes has the name", codes.AlreadyExists)
				suite.Warn(ctx, "VGS-02", "the same volumes in another order are refused: a CO that has lost its state need not name them in the order of the first call")
				return
			}
			expectSame("VGS-02", "the same name and the same volumes, in another order, are the same group snapshot", turned.GetGroupSnapshot(), first)
		},
	}
}

// otherVolumes checks that a name belongs to one group snapshot of one set of volumes.
func otherVolumes() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_other_volumes",
		Text:         "returns ALREADY_EXISTS for the name of a group snapshot of other volumes, also of fewer or of more",
		Requirements: []string{"VGS-18", "VGS-12", "GEN-15", "GEN-16"},
		Needs:        needs(3),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volumes := needVolumes(ctx, driver, 3)
			request := groups.CreateRequest(driver, volumes[:2]...)
			first := groups.NeedReady(ctx, driver, request)
			for _, others := range [][]*csi.Volume{{volumes[0], volumes[2]}, volumes[:1], volumes} {
				request.SourceVolumeIds = idsOf(others)

				_, err := driver.Groups.CreateVolumeGroupSnapshot(ctx, request)

				harness.ExpectRefused(ctx, "VGS-18", err, "the name has a group snapshot of other volumes", codes.AlreadyExists)
			}
			expectOnly(ctx, driver, volumes[0], first)
			expectOnly(ctx, driver, volumes[2], nil)
		},
	}
}

// unknownVolume names one volume that was deleted, so that no group can be taken, and no snapshot of the other volume
// either. The code is not specified.
func unknownVolume() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_unknown_volume",
		Text:         "refuses a group snapshot of a volume that exists and one that was deleted, and leaves no snapshot of the first",
		Requirements: []string{"VGS-11", "VGS-12", "GEN-09", "GEN-15", "GEN-16"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volumes := needVolumes(ctx, driver, 2)
			volume, deleted := volumes[0], volumes[1]
			deletion.Need(ctx, driver, deleted)
			driver.Settled(ctx, effect.Unknown, func() bool {
				_, err := driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, deleted, driver.Capability()))
				return status.Code(err) == codes.NotFound
			})
			request := groups.CreateRequest(driver, volume, deleted)
			for _, why := range []string{"not all snapshots of the group can be cut", "they still cannot when the call is repeated, as a CO does"} {
				_, err := driver.Groups.CreateVolumeGroupSnapshot(ctx, request)

				if err == nil {
					deletion.MustNotList(ctx, driver, deleted)
				}
				harness.ExpectRefused(ctx, "VGS-11", err, why)
			}
			expectOnly(ctx, driver, volume, nil)
		},
	}
}

// expectOnly warns if ListSnapshots has other snapshots of the volume than the group's. The group may be nil.
func expectOnly(ctx context.Context, driver *harness.Driver, volume *csi.Volume, group *csi.VolumeGroupSnapshot) {
	if !driver.ListsSnapshots() {
		suite.Reduced(ctx, "whether the volume has other snapshots cannot be seen: %s", driver.WhySnapshotsUnlisted())
		return
	}
	var left []string
	for _, listed := range besides(ctx, driver, volume, group) {
		left = append(left, listed.GetSnapshotId())
	}
	suite.Should(ctx, "VGS-12", len(left) == 0, "nothing should be left of a group snapshot that was refused, and a repeated call makes no other one\nListSnapshots also has these of volume %s: %v", volume.GetVolumeId(), left)
}

// besides returns the snapshots of the volume in ListSnapshots that are not in the group, once the driver has had time to
// remove them.
func besides(ctx context.Context, driver *harness.Driver, volume *csi.Volume, group *csi.VolumeGroupSnapshot) []*csi.Snapshot {
	known := groups.IDs(group)
	var left []*csi.Snapshot
	driver.Settled(ctx, effect.NothingNew, func() bool {
		left = slices.DeleteFunc(snapshots.Of(ctx, driver, volume.GetVolumeId()), func(s *csi.Snapshot) bool { return slices.Contains(known, s.GetSnapshotId()) })
		return len(left) == 0
	})
	return left
}
