// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/groups"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// contents returns the cases about volumes that are restored from the snapshots of a group.
func contents() []harness.Case {
	return []harness.Case{restoredData(), consistent(), inTheirTopology(), keepsCopies()}
}

// member returns the snapshot of the volume in the group.
func member(group *csi.VolumeGroupSnapshot, volume *csi.Volume) *csi.Snapshot {
	for _, snapshot := range group.GetSnapshots() {
		if snapshot.GetSourceVolumeId() == volume.GetVolumeId() {
			return snapshot
		}
	}
	suite.CouldNotTell("group snapshot %s has no snapshot of volume %s: see group_snapshot_volumes", group.GetGroupSnapshotId(), volume.GetVolumeId())
	return nil
}

// restore creates a volume from a snapshot that is ready to use. A lack of room, or of reach, is not judged.
func restore(ctx context.Context, driver *harness.Driver, snapshot *csi.Snapshot, of *csi.Volume, asked model.Request) *csi.Volume {
	asked = asked.OfBytes(max(driver.Size(), snapshot.GetSizeBytes(), of.GetCapacityBytes()))
	got := creation.CreateFrom(ctx, driver, messages.FromSnapshot(snapshot.GetSnapshotId()), asked)
	if got.Code == codes.ResourceExhausted {
		creation.ExpectAllowed(ctx, got, model.AnswersTo(asked, driver.Room.World))
		suite.Skip(suite.ByEnvironment, "the driver has no room for the volumes and snapshots of the case: %s", got)
	}
	suite.Must("VGS-09", got.Code == codes.OK, "any snapshot of a group that is ready to use is a source for a new volume\nrequested: a volume from snapshot %s of group snapshot %s, with ready_to_use true\ngot: %s",
		snapshot.GetSnapshotId(), snapshot.GetGroupSnapshotId(), got)
	return got.Volume
}

// restoredData checks that each volume has its own data in the group, as it was when the group was taken, also once the
// volumes are gone.
func restoredData() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_data",
		Text:         "restores each snapshot of a group with the data that its volume had then, even if the volumes are written to and deleted later",
		Requirements: []string{"VGS-01", "VGS-02", "VGS-08", "VGS-09", "VS-02", "DV-03"},
		Needs:        needs(6, harness.Nodes(1), harness.Data()),
		Long:         true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			const after = "after it, of both volumes  "
			before := func(i int) string { return fmt.Sprintf("before it, of volume %06d", i+1) } // as long as the other
			node, asked := driver.Nodes[0], driver.VolumeFor(driver.Nodes[0])
			var volumes []*csi.Volume
			for i := range 2 {
				volumes = append(volumes, driver.NeedVolume(ctx, asked))
				data.WriteTo(ctx, node, volumes[i], before(i))
			}
			request := groups.CreateRequest(driver, volumes...)
			harness.NeedOK(driver.Groups.CreateVolumeGroupSnapshot(ctx, request))
			for _, volume := range volumes {
				data.WriteTo(ctx, node, volume, after)
			}
			group := groups.NeedReady(ctx, driver, request) // which takes no other
			expectBefore := func() {
				for i, volume := range volumes {
					copied := restore(ctx, driver, member(group, volume), volume, asked)
					got := data.ReadFrom(ctx, node, copied)
					suite.Must("VGS-01", got != after, "a group snapshot has the data of one moment, which is over when CreateVolumeGroupSnapshot is answered\n%q was written to volume %s after that, and volume %s from its snapshot has it", after, volume.GetVolumeId(), copied.GetVolumeId())
					suite.Must("VS-02", got == before(i), "a volume has the data of its source\n%q was written to volume %s, and volume %s from its snapshot in the group has %q", before(i), volume.GetVolumeId(), copied.GetVolumeId(), got)
				}
			}
			expectBefore()
			isDeleted := true
			for _, volume := range volumes {
				// A driver that still needs the volume refuses, which other cases judge.
				_, err := driver.Controller.DeleteVolume(ctx, deletion.Request(driver, volume))
				isDeleted = isDeleted && err == nil
			}
			expectBefore()
			if isDeleted {
				again, err := driver.Groups.CreateVolumeGroupSnapshot(ctx, request)
				harness.ExpectOK("VGS-02", err, fmt.Sprintf("CreateVolumeGroupSnapshot is idempotent: group snapshot %s exists and is ready to use, and only its volumes were deleted", group.GetGroupSnapshotId()))
				suite.Must("VGS-02", again.GetGroupSnapshot().GetGroupSnapshotId() == group.GetGroupSnapshotId(),
					"CreateVolumeGroupSnapshot of %s was answered with %q, and with %q after its volumes were deleted", request.GetName(), group.GetGroupSnapshotId(), again.GetGroupSnapshot().GetGroupSnapshotId())
			}
		},
	}
}

// keepsCopies deletes a group with a snapshot that a volume was created from: the volume stays unchanged, whether the group
// is deleted, with all of its snapshots, or in use.
func keepsCopies() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_in_use",
		Text:         "deletes a group snapshot that a volume was restored from, with all of its snapshots, and keeps the volume, or returns FAILED_PRECONDITION and keeps the group",
		Requirements: []string{"VGS-21", "VGS-28", "GEN-15", "GEN-16"},
		Needs:        needs(4, harness.Nodes(1), harness.Data()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			const text = "before the group snapshot"
			node, asked := driver.Nodes[0], driver.VolumeFor(driver.Nodes[0])
			first, second := driver.NeedVolume(ctx, asked), driver.NeedVolume(ctx, asked)
			data.WriteTo(ctx, node, first, text)
			group := groups.Need(ctx, driver, first, second)
			copied := restore(ctx, driver, member(group, first), first, asked)
			data.NeedKept(ctx, node, copied, text)
			before := existing(ctx, driver, group.GetSnapshots()...)

			_, err := driver.Groups.DeleteVolumeGroupSnapshot(ctx, groups.DeleteRequest(driver, group))

			harness.ExpectOKOrRefused(ctx, "VGS-28", err, "a group snapshot that is in use by another resource is not deleted", codes.FailedPrecondition)
			_, found := driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, copied, driver.Capability()))
			suite.Must("VGS-28", status.Code(found) != codes.NotFound, "a group snapshot that is in use by another resource is FAILED_PRECONDITION\nDeleteVolumeGroupSnapshot answered %v, and volume %s, which was restored from one of its snapshots, is not found any more", err, copied.GetVolumeId())
			got := data.ReadFrom(ctx, node, copied)
			suite.Must("VGS-28", got == text, "a group snapshot that is in use by another resource is FAILED_PRECONDITION\nDeleteVolumeGroupSnapshot answered %v, and volume %s, which was restored from one of its snapshots with %q, has %q", err, copied.GetVolumeId(), text, got)
			if err == nil {
				expectDeleted(ctx, driver, group)
				return
			}
			const kept = "a group snapshot that could not be deleted, as it is in use, is as it was before"
			expectGot(ctx, driver, "VGS-28", kept, group)
			left := existing(ctx, driver, group.GetSnapshots()...)
			suite.Must("VGS-28", slices.Equal(left, before), "%s\nits snapshots were: %v\nand are now: %v", kept, before, left)
		},
	}
}
