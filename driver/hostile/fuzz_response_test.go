// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/csi-topo/csi-topo/driver/topology"
)

// checkResponse checks the rules for any response, and the rules that depend on the request.
func (w *fuzzWorld) checkResponse(t *testing.T, r rpc, request, response proto.Message) {
	t.Helper()
	if _, err := proto.Marshal(response); err != nil {
		t.Errorf("%s answered what cannot be sent: %v", r.name, err)
	}
	for _, fault := range append(generalFaults(response), particularFaults(request, response)...) {
		t.Errorf("%s{%v} answered %v: %s", r.name, request, response, fault)
	}
}

// generalFaults returns the faults that any message may have: sizes below 0, missing or overlong ids, and unknown
// topologies.
func generalFaults(response proto.Message) []string {
	var faults []string
	_ = protorange.Range(response.ProtoReflect(), func(at protopath.Values) error {
		switch found := at.Index(-1).Value.Interface().(type) {
		case int64:
			if found < 0 && at.Path.Index(-1).Kind() == protopath.FieldAccessStep {
				faults = append(faults, fmt.Sprintf("%s is %d", at.Path, found))
			}
		case string:
			if strings.Contains(found, fuzzSecret) {
				faults = append(faults, fmt.Sprintf("%s has a secret", at.Path))
			}
		case protoreflect.Message:
			faults = append(faults, messageFaults(found.Interface())...)
		}
		return nil
	})
	return faults
}

func messageFaults(m proto.Message) []string {
	var faults []string
	id := func(what, is string) {
		if is == "" || len(is) > sizeLimit {
			faults = append(faults, fmt.Sprintf("%s has %d bytes, want 1 to %d", what, len(is), sizeLimit))
		}
	}
	switch found := m.(type) {
	case *csi.Volume:
		id("volume_id", found.GetVolumeId())
		if len(found.GetAccessibleTopology()) == 0 {
			faults = append(faults, "the volume is accessible from nowhere")
		}
	case *csi.Snapshot:
		id("snapshot_id", found.GetSnapshotId())
		id("source_volume_id", found.GetSourceVolumeId())
		if len(found.GetAccessibleTopology()) == 0 || found.GetCreationTime() == nil {
			faults = append(faults, "the snapshot is usable from nowhere, or was never taken")
		}
	case *csi.VolumeGroupSnapshot:
		id("group_snapshot_id", found.GetGroupSnapshotId())
		if slices.ContainsFunc(found.GetSnapshots(), func(s *csi.Snapshot) bool { return s.GetGroupSnapshotId() != found.GetGroupSnapshotId() }) {
			faults = append(faults, "a snapshot of the group says that it is in another, or in none")
		}
	case *csi.VolumeHealth:
		id("volume_id", found.GetVolumeId())
	case *csi.NodeGetInfoResponse:
		id("node_id", found.GetNodeId())
	case *csi.Topology:
		if !slices.ContainsFunc(segments(), func(s topology.Segment) bool { return s.Equal(found.GetSegments()) }) {
			faults = append(faults, fmt.Sprintf("there is no segment %v", found.GetSegments()))
		}
	case *wrapperspb.Int64Value:
		if found.GetValue() < 0 {
			faults = append(faults, fmt.Sprintf("a size is %d", found.GetValue()))
		}
	}
	return faults
}

// particularFaults returns the faults of a response to this request.
func particularFaults(request, response proto.Message) []string {
	var faults []string
	want := func(is bool, what string) {
		if !is {
			faults = append(faults, "want that "+what)
		}
	}
	page := func(entries int, most int32, token string) {
		want(most == 0 || entries <= int(most), "no more entries than asked for")
		want(token == "" || (most > 0 && entries == int(most) && len(token) <= sizeLimit), "a token only with a full page")
	}
	within := func(bytes int64, r *csi.CapacityRange) {
		want(bytes >= r.GetRequiredBytes() && (r.GetLimitBytes() == 0 || bytes <= r.GetLimitBytes()), "the size is in capacity_range")
	}
	switch answer := response.(type) {
	case *csi.CreateVolumeResponse:
		asked := request.(*csi.CreateVolumeRequest)
		within(answer.GetVolume().GetCapacityBytes(), asked.GetCapacityRange())
		want(answer.GetVolume().GetCapacityBytes() > 0, "the volume has a size")
		want(proto.Equal(answer.GetVolume().GetContentSource(), asked.GetVolumeContentSource()), "the source is as asked")
	case *csi.CreateSnapshotResponse:
		want(answer.GetSnapshot().GetSourceVolumeId() == request.(*csi.CreateSnapshotRequest).GetSourceVolumeId(), "the snapshot is of the volume asked for")
		want(answer.GetSnapshot().GetReadyToUse(), "the snapshot is ready")
	case *csi.CreateVolumeGroupSnapshotResponse:
		want(len(answer.GetGroupSnapshot().GetSnapshots()) == len(request.(*csi.CreateVolumeGroupSnapshotRequest).GetSourceVolumeIds()), "there is one snapshot of each volume")
		want(answer.GetGroupSnapshot().GetReadyToUse(), "the group is ready")
	case *csi.GetVolumeGroupSnapshotResponse:
		want(answer.GetGroupSnapshot().GetGroupSnapshotId() == request.(*csi.GetVolumeGroupSnapshotRequest).GetGroupSnapshotId(), "the group is the one asked for")
	case *csi.ControllerExpandVolumeResponse:
		within(answer.GetCapacityBytes(), request.(*csi.ControllerExpandVolumeRequest).GetCapacityRange())
	case *csi.NodeExpandVolumeResponse:
		within(answer.GetCapacityBytes(), request.(*csi.NodeExpandVolumeRequest).GetCapacityRange())
	case *csi.ListVolumesResponse:
		page(len(answer.GetEntries()), request.(*csi.ListVolumesRequest).GetMaxEntries(), answer.GetNextToken())
	case *csi.ListSnapshotsResponse:
		page(len(answer.GetEntries()), request.(*csi.ListSnapshotsRequest).GetMaxEntries(), answer.GetNextToken())
	case *csi.ControllerListVolumeHealthResponse:
		page(len(answer.GetEntries()), request.(*csi.ControllerListVolumeHealthRequest).GetMaxEntries(), answer.GetNextToken())
	case *csi.ValidateVolumeCapabilitiesResponse:
		want((answer.GetConfirmed() == nil) == (answer.GetMessage() != ""), "it is confirmed, or a message says why not")
	case *csi.ControllerGetVolumeResponse:
		want(answer.GetVolume().GetVolumeId() == request.(*csi.ControllerGetVolumeRequest).GetVolumeId(), "the volume is the one asked for")
	case *csi.GetSnapshotResponse:
		want(answer.GetSnapshot().GetSnapshotId() == request.(*csi.GetSnapshotRequest).GetSnapshotId(), "the snapshot is the one asked for")
	}
	return faults
}
