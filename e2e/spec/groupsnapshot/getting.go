// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/groups"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// getting returns the cases on GetVolumeGroupSnapshot.
func getting() []harness.Case { return []harness.Case{got(), gotUnknown(), otherMembers()} }

func got() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_got",
		Text:         "returns the same group snapshot from GetVolumeGroupSnapshot as from CreateVolumeGroupSnapshot",
		Requirements: []string{"SV-09", "VGS-16", "VGS-17", "VGS-33", "SN-09"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			group := groups.Need(ctx, driver, needVolumes(ctx, driver, 2)...)

			response, err := driver.Groups.GetVolumeGroupSnapshot(ctx, groups.GetRequest(driver, group))

			harness.ExpectOK("SV-09", err, "a group controller that claims CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT returns the group snapshot")
			expectSame("VGS-33", "GetVolumeGroupSnapshot returns the group snapshot that CreateVolumeGroupSnapshot returned", response.GetGroupSnapshot(), group)
			expectMembers(driver, response.GetGroupSnapshot())
			expectReadiness(ctx, response.GetGroupSnapshot())
			suite.Must("VGS-33", response.GetGroupSnapshot().GetReadyToUse(), "CreateVolumeGroupSnapshot returned ready_to_use true for %s, and GetVolumeGroupSnapshot returns false", group.GetGroupSnapshotId())
		},
	}
}

func gotUnknown() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_get_unknown",
		Text:         "returns NOT_FOUND from GetVolumeGroupSnapshot for a group snapshot that was deleted",
		Requirements: []string{"VGS-29", "GEN-15", "GEN-16"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			group := groups.Need(ctx, driver, needVolumes(ctx, driver, 1)...)
			harness.NeedOK(driver.Groups.DeleteVolumeGroupSnapshot(ctx, groups.DeleteRequest(driver, group)))

			var err error
			driver.Settled(ctx, effect.Unknown, func() bool {
				_, err = driver.Groups.GetVolumeGroupSnapshot(ctx, groups.GetRequest(driver, group))
				return status.Code(err) == codes.NotFound
			})

			harness.ExpectRefused(ctx, "VGS-29", err, "the group snapshot does not exist", codes.NotFound)
		},
	}
}

// otherMembers sends snapshot_ids that are not the group's. A driver that can tell should refuse them.
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
