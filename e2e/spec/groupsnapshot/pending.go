// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/calls"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/groups"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// atOnce makes one call several times at once: it may be ABORTED while another one for
// the name is pending. Any other failure is a warning.
func atOnce() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_at_once",
		Text:         "takes one group snapshot for several concurrent requests with one name",
		Requirements: []string{"VGS-02", "VGS-20", "GEN-02", "GEN-03", "GEN-13"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			const times = 4
			volumes := needVolumes(ctx, driver, 2)
			request := groups.CreateRequest(driver, volumes...)
			groups.Need(ctx, driver, volumes...) // or they cannot be in one

			answers := calls.Graceful(ctx, "VGS-02", calls.AtOnce(ctx, times, func(ctx context.Context) (*csi.CreateVolumeGroupSnapshotResponse, error) {
				return driver.Groups.CreateVolumeGroupSnapshot(ctx, request)
			}))

			again, err := driver.Groups.CreateVolumeGroupSnapshot(ctx, request)
			harness.ExpectOK("VGS-02", err, "no other call is pending, and the group snapshot that one of them took is returned")
			for _, answer := range answers {
				expectSame("VGS-02", "one name stands for one group snapshot", again.GetGroupSnapshot(), answer.GetGroupSnapshot())
			}
		},
	}
}

// cutShort repeats a call that was cut short, which must continue where it left off.
func cutShort() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_cut_short",
		Text:         "takes one group snapshot when CreateVolumeGroupSnapshot is cut short and repeated",
		Requirements: []string{"VGS-02", "VGS-12", "GEN-07"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volumes := needVolumes(ctx, driver, 2)
			request := groups.CreateRequest(driver, volumes...)

			answers, err := calls.CutShort(ctx, driver, func(ctx context.Context) (*csi.CreateVolumeGroupSnapshotResponse, error) {
				return driver.Groups.CreateVolumeGroupSnapshot(ctx, request)
			})

			groups.SkipUngrouped(err)
			harness.ExpectOK("VGS-02", err, "a call that was cut short and is repeated continues where it left off, and has the same answer when it is repeated once more")
			for _, again := range answers {
				expectSame("VGS-02", "one name stands for one group snapshot", again.GetGroupSnapshot(), answers[0].GetGroupSnapshot())
			}
			expectOnce(ctx, driver, volumes, answers[0].GetGroupSnapshot())
			expectOnly(ctx, driver, volumes[0], answers[0].GetGroupSnapshot())
		},
	}
}

// expectOnce fails the case if another whole group snapshot was taken of the volumes, which have had no other request. A
// list may lag behind: GetVolumeGroupSnapshot has to find the group as well. An incomplete group snapshot is a leftover.
func expectOnce(ctx context.Context, driver *harness.Driver, volumes []*csi.Volume, group *csi.VolumeGroupSnapshot) {
	if !driver.ListsSnapshots() {
		return // as expectOnly says
	}
	for _, left := range besides(ctx, driver, volumes[0], group) {
		other := &csi.VolumeGroupSnapshot{GroupSnapshotId: left.GetGroupSnapshotId()}
		if id := other.GetGroupSnapshotId(); id == "" || id == group.GetGroupSnapshotId() {
			continue
		}
		for _, volume := range volumes {
			other.Snapshots = append(other.Snapshots, slices.DeleteFunc(snapshots.Of(ctx, driver, volume.GetVolumeId()), func(s *csi.Snapshot) bool {
				return s.GetGroupSnapshotId() != other.GetGroupSnapshotId()
			})...)
		}
		if !slices.Equal(groups.Sources(other), idsOf(volumes)) {
			continue
		}
		_, err := driver.Groups.GetVolumeGroupSnapshot(ctx, groups.GetRequest(driver, other))
		suite.Must("VGS-02", err != nil, "a group snapshot is created once, however often the call for it is repeated\nCreateVolumeGroupSnapshot was called with one name, and answered %s: ListSnapshots and GetVolumeGroupSnapshot also have %s of the same volumes",
			group.GetGroupSnapshotId(), other.GetGroupSnapshotId())
	}
}
