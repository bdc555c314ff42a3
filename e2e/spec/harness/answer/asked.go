// SPDX-License-Identifier: Apache-2.0

package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// flawsByRequest returns the fields of an answer that contradict its request.
func flawsByRequest(request, answer proto.Message) []Flaw {
	flaws := outOfRange(request, answer)
	flaws = append(flaws, longPage(request, answer)...)
	return append(flaws, ofAnother(request, answer)...)
}

// outOfRange compares the size in an answer with the capacity_range of its request. The specification does not say what a
// contradictory range allows, or whether a volume may be larger than limit_bytes after an expansion.
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

// longPage compares the number of entries of a page with max_entries.
func longPage(request, answer proto.Message) []Flaw {
	var clause string
	var entries int
	switch of := answer.(type) {
	case *csi.ListVolumesResponse:
		clause, entries = "LV-03", len(of.GetEntries())
	case *csi.ListSnapshotsResponse:
		clause, entries = "LS-02", len(of.GetEntries())
	case *csi.ControllerListVolumeHealthResponse:
		clause, entries = "VH-05", len(of.GetEntries())
	default:
		return nil
	}
	asked, is := request.(interface{ GetMaxEntries() int32 })
	if most := asked.GetMaxEntries(); is && most > 0 && entries > int(most) {
		field := string(answer.ProtoReflect().Descriptor().FullName()) + ".entries"
		return []Flaw{{Clause: clause, Field: field, Text: fmt.Sprintf("%s has %d entries, and max_entries of the request is %d", field, entries, most)}}
	}
	return nil
}

// ofAnother checks that the answer is about the volume, snapshot or group that the request names.
func ofAnother(request, answer proto.Message) []Flaw {
	var flaws []Flaw
	differ := func(clause, field, got, want string) {
		if want != "" && got != "" && got != want {
			flaws = append(flaws, Flaw{Clause: clause, Field: "csi.v1." + field, Text: fmt.Sprintf("csi.v1.%s is %q, and that of the request %q", field, got, want)})
		}
	}
	switch of := answer.(type) {
	case *csi.ControllerGetVolumeResponse:
		differ("LV-15", "Volume.volume_id", of.GetVolume().GetVolumeId(), request.(*csi.ControllerGetVolumeRequest).GetVolumeId())
	case *csi.ControllerGetVolumeHealthResponse:
		differ("VH-14", "VolumeHealth.volume_id", of.GetVolumeHealth().GetVolumeId(), request.(*csi.ControllerGetVolumeHealthRequest).GetVolumeId())
	case *csi.CreateSnapshotResponse:
		differ("SN-02", "Snapshot.source_volume_id", of.GetSnapshot().GetSourceVolumeId(), request.(*csi.CreateSnapshotRequest).GetSourceVolumeId())
	case *csi.GetSnapshotResponse:
		differ("GS-01", "Snapshot.snapshot_id", of.GetSnapshot().GetSnapshotId(), request.(*csi.GetSnapshotRequest).GetSnapshotId())
	case *csi.ListSnapshotsResponse:
		asked := request.(*csi.ListSnapshotsRequest)
		if asked.GetSnapshotId() != "" && asked.GetSourceVolumeId() != "" {
			break // the specification does not say that both can be combined
		}
		for _, entry := range of.GetEntries() {
			differ("LS-01", "Snapshot.snapshot_id", entry.GetSnapshot().GetSnapshotId(), asked.GetSnapshotId())
			differ("LS-01", "Snapshot.source_volume_id", entry.GetSnapshot().GetSourceVolumeId(), asked.GetSourceVolumeId())
		}
	case *csi.CreateVolumeGroupSnapshotResponse:
		flaws = append(flaws, flawsOfSources(request.(*csi.CreateVolumeGroupSnapshotRequest).GetSourceVolumeIds(), of.GetGroupSnapshot())...)
	case *csi.GetVolumeGroupSnapshotResponse:
		differ("VGS-33", "VolumeGroupSnapshot.group_snapshot_id", of.GetGroupSnapshot().GetGroupSnapshotId(), request.(*csi.GetVolumeGroupSnapshotRequest).GetGroupSnapshotId())
	}
	return flaws
}

// flawsOfSources checks that a group snapshot consists of snapshots of the requested volumes.
func flawsOfSources(asked []string, group *csi.VolumeGroupSnapshot) []Flaw {
	var got []string
	for _, snapshot := range group.GetSnapshots() {
		got = append(got, snapshot.GetSourceVolumeId())
	}
	asked = slices.Sorted(slices.Values(asked))
	slices.Sort(got)
	if len(got) == 0 || slices.Equal(got, asked) {
		return nil
	}
	const field = "csi.v1.VolumeGroupSnapshot.snapshots"
	return []Flaw{{Clause: "VGS-03", Field: field, Text: fmt.Sprintf("%s are of the volumes %q, and source_volume_ids of the request are %q", field, got, asked)}}
}

// elsewhere returns a flaw if the volume is not accessible from any requisite topology of its request. Topologies without a
// common key do not contradict each other.
func elsewhere(asked *csi.CreateVolumeRequest, made *csi.Volume) []Flaw {
	requisite := asked.GetAccessibilityRequirements().GetRequisite()
	if len(requisite) == 0 || len(made.GetAccessibleTopology()) == 0 {
		return nil
	}
	for _, topology := range made.GetAccessibleTopology() {
		for _, other := range requisite {
			if !differ(topology.GetSegments(), other.GetSegments()) {
				return nil
			}
		}
	}
	const field = "csi.v1.Volume.accessible_topology"
	return []Flaw{{Clause: "TR-04", Field: field, Text: fmt.Sprintf("%s is %v, and contains none of the topologies in requisite of the request, which is %v", field, made.GetAccessibleTopology(), requisite)}}
}

// differ reports whether no node can be in both topologies: they have different values for the same key.
func differ(topology, other model.Segment) bool {
	for key, value := range topology {
		for otherKey, otherValue := range other {
			if strings.EqualFold(key, otherKey) && !strings.EqualFold(value, otherValue) {
				return true
			}
		}
	}
	return false
}
