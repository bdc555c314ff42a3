// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/groups"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// expectSame fails the case by the clause if the group differs from the first one.
func expectSame(clause, why string, got, first *csi.VolumeGroupSnapshot) {
	found := differences(got, first)
	suite.Must(clause, len(found) == 0, "%s\nbut %v", why, found)
}

// differences describes how two reports of one group snapshot differ. The snapshots may be in another order, and a report may
// round the time to seconds.
func differences(got, first *csi.VolumeGroupSnapshot) []string {
	var found []string
	differ := func(what string, now, before any) {
		found = append(found, fmt.Sprintf("%s is %v, and was %v", what, now, before))
	}
	if now, before := got.GetGroupSnapshotId(), first.GetGroupSnapshotId(); now != before {
		differ("group_snapshot_id", now, before)
	}
	if now, before := sorted(got), sorted(first); !slices.Equal(now, before) {
		differ("the snapshots", now, before)
	}
	if !messages.SameTime(got, first) {
		differ("creation_time", got.GetCreationTime().AsTime(), first.GetCreationTime().AsTime())
	}
	for _, member := range got.GetSnapshots() {
		i := slices.IndexFunc(first.GetSnapshots(), func(s *csi.Snapshot) bool { return s.GetSnapshotId() == member.GetSnapshotId() })
		if i < 0 {
			continue // which is said already
		}
		before := first.GetSnapshots()[i]
		if member.GetSourceVolumeId() != before.GetSourceVolumeId() {
			differ("source_volume_id of "+member.GetSnapshotId(), member.GetSourceVolumeId(), before.GetSourceVolumeId())
		}
		if !messages.SameTime(member, before) {
			differ("creation_time of "+member.GetSnapshotId(), member.GetCreationTime().AsTime(), before.GetCreationTime().AsTime())
		}
	}
	return found
}

func sorted(group *csi.VolumeGroupSnapshot) []string {
	ids := groups.IDs(group)
	slices.Sort(ids)
	return ids
}
