// SPDX-License-Identifier: Apache-2.0

package answer

import (
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// flawsOfKind returns what is wrong with a message by the rules for its kind alone.
func flawsOfKind(m protoreflect.Message) []Flaw {
	switch of := m.Interface().(type) {
	case *csi.Snapshot:
		return flawsOfTime("SN-03", "csi.v1.Snapshot.creation_time", of.GetCreationTime())
	case *csi.VolumeGroupSnapshot:
		return flawsOfTime("VGS-15", "csi.v1.VolumeGroupSnapshot.creation_time", of.GetCreationTime())
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

// flawsOfTime judges a time that is set. No storage is older than the epoch: such a time is what a program has before it sets one.
func flawsOfTime(clause, field string, at *timestamppb.Timestamp) []Flaw {
	if at == nil || at.IsValid() && at.GetSeconds() > 0 {
		return nil
	}
	return []Flaw{{Clause: clause, Field: field, Text: fmt.Sprintf("%s is when it was taken, and is {%s}", field, at)}}
}

// twice returns a flaw for the first entry of a list that is there twice.
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

// outOfRange judges the size that an answer tells by the capacity_range of its request. What a contradictory range allows, and
// whether a volume that is larger than limit_bytes may be answered for one that is to grow, is not said.
func outOfRange(request, answer proto.Message) []Flaw {
	var field string
	var bytes int64
	var limit int64
	asked, _ := request.(interface{ GetCapacityRange() *csi.CapacityRange })
	switch of := answer.(type) {
	case *csi.CreateVolumeResponse:
		field, bytes, limit = "csi.v1.Volume.capacity_bytes", of.GetVolume().GetCapacityBytes(), asked.GetCapacityRange().GetLimitBytes()
	case *csi.ControllerExpandVolumeResponse:
		field, bytes = "csi.v1.ControllerExpandVolumeResponse.capacity_bytes", of.GetCapacityBytes()
	default:
		return nil
	}
	required := asked.GetCapacityRange().GetRequiredBytes()
	switch {
	case bytes <= 0 || required < 0 || limit < 0 || limit > 0 && limit < required:
		return nil
	case bytes < required:
		return []Flaw{{Clause: "CR-03", Field: field, Text: fmt.Sprintf("%s is %d, and required_bytes of the request %d", field, bytes, required)}}
	case limit > 0 && bytes > limit:
		return []Flaw{{Clause: "CR-05", Field: field, Text: fmt.Sprintf("%s is %d, and limit_bytes of the request %d", field, bytes, limit)}}
	default:
		return nil
	}
}
