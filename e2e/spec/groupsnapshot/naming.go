// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/groups"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// otherNames takes group snapshots of one volume under very similar names: only the name distinguishes them. A refusal of a
// name is not judged, because the back end may support no such names, or only some.
func otherNames() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_names",
		Text:         "takes two group snapshots for names of 128 bytes that differ in the last byte, and one for each of several names that differ in letter case or in a separator",
		Requirements: []string{"VGS-14", "SN-06"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volumes := needVolumes(ctx, driver, 1)

			refused := takeEach(ctx, driver, volumes, driver.SimilarNames()...)

			if refused > 0 {
				suite.Reduced(ctx, "the driver refuses %d of these names, which its back end may not support", refused)
			}
		},
	}
}

// takeEach takes a group snapshot under each of the names, and fails the case if the answers for two names have the same
// group snapshot, or the same snapshots. It returns the number of refused names.
func takeEach(ctx context.Context, driver *harness.Driver, volumes []*csi.Volume, names ...string) (refused int) {
	named, members := map[string]string{}, map[string]string{} // names, by id
	for _, name := range names {
		request := groups.CreateRequest(driver, volumes...)
		request.Name = name
		response, err := driver.Groups.CreateVolumeGroupSnapshot(ctx, request)
		if len(named) == 0 {
			groups.SkipUngrouped(err)
		}
		if err != nil {
			refused++
			continue
		}
		group := response.GetGroupSnapshot()
		other, taken := named[group.GetGroupSnapshotId()]
		suite.Must("VGS-14", !taken, "group_snapshot_id identifies one group snapshot, and %s was returned for two names: %q and %q", group.GetGroupSnapshotId(), other, name)
		named[group.GetGroupSnapshotId()] = name
		for _, id := range groups.IDs(group) {
			other, taken := members[id]
			suite.Must("SN-06", !taken, "snapshot_id identifies one snapshot, and %s is in the group snapshots of two names: %q and %q", id, other, name)
			members[id] = name
		}
	}
	return refused
}
