// SPDX-License-Identifier: Apache-2.0

package messages

import (
	"fmt"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// Taken is a snapshot, or a group snapshot.
type Taken interface{ GetCreationTime() *timestamppb.Timestamp }

// SameTime reports whether creation_time is the same in two reports. One of them may round it to seconds.
func SameTime(now, before Taken) bool {
	return now.GetCreationTime().AsTime().Sub(before.GetCreationTime().AsTime()).Abs() < time.Second
}

// Changes describes how two reports of one snapshot differ. A size of 0 is unknown, and a report may round the time to
// seconds.
func Changes(now, before *csi.Snapshot) []string {
	var found []string
	differ := func(field string, now, before any) {
		found = append(found, fmt.Sprintf("%s is %v, and was %v", field, now, before))
	}
	if now.GetSnapshotId() != before.GetSnapshotId() {
		differ("snapshot_id", now.GetSnapshotId(), before.GetSnapshotId())
	}
	if now.GetSourceVolumeId() != before.GetSourceVolumeId() {
		differ("source_volume_id", now.GetSourceVolumeId(), before.GetSourceVolumeId())
	}
	if bytes, was := now.GetSizeBytes(), before.GetSizeBytes(); bytes != was && bytes != 0 && was != 0 {
		differ("size_bytes", bytes, was)
	}
	if !SameTime(now, before) {
		differ("creation_time", now.GetCreationTime().AsTime(), before.GetCreationTime().AsTime())
	}
	return found
}
