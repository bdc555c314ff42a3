// SPDX-License-Identifier: Apache-2.0

package restart

import (
	"context"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/groups"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func groupKept() harness.Case {
	return harness.Case{
		ID:           "restart_group_snapshot",
		Text:         "has the same group snapshots after a restart, with their snapshots, and deletes them",
		Requirements: []string{"VGS-02", "VGS-22", "VGS-33"},
		Needs:        harness.Needs(needs(2), harness.GroupSnapshots()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			in := driver.Zones(1)
			volumes := []string{driver.NeedVolume(ctx, driver.Volume(1).Within(in...)).GetVolumeId(), driver.NeedVolume(ctx, driver.Volume(1).Within(in...)).GetVolumeId()}
			request := groups.CreateRequest(driver)
			request.SourceVolumeIds = volumes
			group := groups.NeedReady(ctx, driver, request)
			id := group.GetGroupSnapshotId()

			restartLater(ctx, driver)

			asked := fmt.Sprintf("CreateVolumeGroupSnapshot answered OK for the name %s with group snapshot %s; then the driver was restarted", request.GetName(), id)
			suite.Each([]func(){
				func() { expectFound(ctx, driver, group, asked) },
				func() {
					again, err := driver.Groups.CreateVolumeGroupSnapshot(ctx, request)
					harness.ExpectOK("VGS-02", err, asked+", and CreateVolumeGroupSnapshot was repeated")
					suite.Must("VGS-02", again.GetGroupSnapshot().GetGroupSnapshotId() == id, "%s, and CreateVolumeGroupSnapshot was repeated: it answered group snapshot %s", asked, again.GetGroupSnapshot().GetGroupSnapshotId())
					expectSameTime("VGS-02", asked+", and CreateVolumeGroupSnapshot was repeated", again.GetGroupSnapshot(), group)
				},
				func() {
					_, err := driver.Groups.DeleteVolumeGroupSnapshot(ctx, groups.DeleteRequest(driver, group))
					harness.ExpectOK("VGS-22", err, fmt.Sprintf("group snapshot %s was taken before the driver was restarted, nothing uses it, and it is deleted", id))
				},
			}, func(expect func()) { expect() })
		},
	}
}

// expectFound gets the group snapshot, and compares its snapshots.
func expectFound(ctx context.Context, driver *harness.Driver, group *csi.VolumeGroupSnapshot, asked string) {
	found, err := driver.Groups.GetVolumeGroupSnapshot(ctx, groups.GetRequest(driver, group))
	harness.ExpectOK("VGS-33", err, asked+", and GetVolumeGroupSnapshot was called for it")
	kept, want := slices.Sorted(slices.Values(groups.IDs(found.GetGroupSnapshot()))), slices.Sorted(slices.Values(groups.IDs(group)))
	suite.Must("VGS-33", slices.Equal(kept, want), "%s, and GetVolumeGroupSnapshot returns it with the snapshots %v\nit had %v", asked, kept, want)
	expectSameTime("VGS-33", asked+", and GetVolumeGroupSnapshot was called for it", found.GetGroupSnapshot(), group)
}
