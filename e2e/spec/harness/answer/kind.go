// SPDX-License-Identifier: Apache-2.0

package answer

import (
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// flawsOfKind checks a message by the rules for its type alone.
func flawsOfKind(m protoreflect.Message) []Flaw {
	switch of := m.Interface().(type) {
	case *csi.Snapshot:
		return flawsOfTime("SN-03", "csi.v1.Snapshot.creation_time", of.GetCreationTime())
	case *csi.VolumeGroupSnapshot:
		return append(flawsOfTime("VGS-15", "csi.v1.VolumeGroupSnapshot.creation_time", of.GetCreationTime()), flawsOfMembers(of)...)
	case *csi.VolumeUsage:
		if of.GetUnit() == csi.VolumeUsage_BYTES && of.GetTotal() == 0 {
			return []Flaw{{Clause: "NV-03", Field: "csi.v1.VolumeUsage.total", Text: "csi.v1.VolumeUsage.total is REQUIRED, and is 0 bytes"}}
		}
		return nil
	case *csi.VolumeHealth:
		return twice("VH-09", "csi.v1.VolumeHealth.health_statuses", of.GetHealthStatuses(), func(e *csi.VolumeHealth_VolumeHealthEntry) string {
			return fmt.Sprintf("status %s and reason %q", e.GetStatus(), e.GetReason())
		})
	case *csi.NodeGetStorageHealthResponse:
		return twice("NV-07", "csi.v1.NodeGetStorageHealthResponse.backend_health", of.GetBackendHealth(), func(e *csi.NodeGetStorageHealthResponse_StorageBackendHealth) string {
			return fmt.Sprintf("status %s, reason %q and volume_capability %s", e.GetStatus(), e.GetReason(), e.GetVolumeCapability())
		})
	case *csi.ListVolumesResponse:
		return regretted(twice("LV-01", "csi.v1.ListVolumesResponse.entries", of.GetEntries(), func(e *csi.ListVolumesResponse_Entry) string {
			return "volume_id " + e.GetVolume().GetVolumeId()
		}))
	case *csi.ListSnapshotsResponse:
		return regretted(twice("LS-01", "csi.v1.ListSnapshotsResponse.entries", of.GetEntries(), func(e *csi.ListSnapshotsResponse_Entry) string {
			return "snapshot_id " + e.GetSnapshot().GetSnapshotId()
		}))
	default:
		return nil
	}
}

// flawsOfTime judges a time that is set. No storage is older than the epoch: an earlier time is the value of a field
// that was never set.
func flawsOfTime(clause, field string, at *timestamppb.Timestamp) []Flaw {
	if at == nil || isTime(at) {
		return nil
	}
	return []Flaw{{Clause: clause, Field: field, Text: fmt.Sprintf("%s must be the time when it was taken, and is {%s}", field, at)}}
}

func isTime(at *timestamppb.Timestamp) bool { return at.IsValid() && at.GetSeconds() > 0 }

// flawsOfMembers compares the snapshots of a group with the fields of the group.
func flawsOfMembers(group *csi.VolumeGroupSnapshot) []Flaw {
	var flaws []Flaw
	for _, s := range group.GetSnapshots() {
		if id := s.GetGroupSnapshotId(); id != "" && id != group.GetGroupSnapshotId() {
			const field = "csi.v1.Snapshot.group_snapshot_id"
			flaws = append(flaws, Flaw{Clause: "SN-09", Field: field, Text: fmt.Sprintf("%s of a snapshot in group %q is %q", field, group.GetGroupSnapshotId(), id)})
		}
		if group.GetReadyToUse() && !s.GetReadyToUse() {
			const field = "csi.v1.VolumeGroupSnapshot.ready_to_use"
			flaws = append(flaws, Flaw{Clause: "VGS-16", Field: field, Text: fmt.Sprintf("%s is true, and that of its snapshot %q is false", field, s.GetSnapshotId())})
		}
	}
	return flaws
}

// twice returns a flaw for the first entry that a list contains twice.
func twice[Entry proto.Message](clause, field string, entries []Entry, name func(Entry) string) []Flaw {
	seen := make(map[string]bool, len(entries))
	for _, entry := range entries {
		named := name(entry)
		if seen[named] {
			return []Flaw{{Clause: clause, Field: field, Text: fmt.Sprintf("%s has two entries with %s", field, named)}}
		}
		seen[named] = true
	}
	return nil
}

func regretted(flaws []Flaw) []Flaw {
	for i := range flaws {
		flaws[i].Regretted = true
	}
	return flaws
}
