// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/groups"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// otherNames takes group snapshots of one volume under very similar names: only the name distinguishes them.
func otherNames() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_names",
		Text:         "takes two group snapshots for names of 128 bytes that differ in the last one, and two for names that differ in letter case",
		Requirements: []string{"VGS-14", "SN-06"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			const longest = 128
			volumes := needVolumes(ctx, driver, 1)
			long, short := driver.Name()+"-", driver.Name()+"-"
			long += strings.Repeat("x", max(0, longest-len(long)-1))

			longOnes := expectTwo(ctx, driver, volumes, long+"a", long+"b")
			cases := expectTwo(ctx, driver, volumes, short+"name", short+"NAME")

			if !longOnes || !cases {
				suite.Reduced(ctx, "the driver does not take all of these names, which its back end may not have")
			}
		},
	}
}

// expectTwo fails the case if two names are answered with one group snapshot, or with the same snapshots. It reports whether the
// driver takes both names.
func expectTwo(ctx context.Context, driver *harness.Driver, volumes []*csi.Volume, name, other string) bool {
	var first *csi.VolumeGroupSnapshot
	members := map[string]bool{}
	for _, named := range []string{name, other} {
		request := groups.CreateRequest(driver, volumes...)
		request.Name = named
		response, err := driver.Groups.CreateVolumeGroupSnapshot(ctx, request)
		groups.SkipUngrouped(err)
		if err != nil {
			return false
		}
		group := response.GetGroupSnapshot()
		suite.Must("VGS-14", first == nil || group.GetGroupSnapshotId() != first.GetGroupSnapshotId(), "group_snapshot_id identifies one group snapshot, and %s was answered to two names: %q and %q", group.GetGroupSnapshotId(), name, other)
		for _, id := range groups.IDs(group) {
			suite.Must("SN-06", !members[id], "snapshot_id identifies one snapshot, and %s is in the group snapshots of two names: %q and %q", id, name, other)
			members[id] = true
		}
		first = group
	}
	return true
}
