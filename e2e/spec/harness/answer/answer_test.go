// SPDX-License-Identifier: Apache-2.0

package answer

import (
	"slices"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

func TestFlaws(t *testing.T) {
	plain := &csi.Volume{VolumeId: "v", CapacityBytes: 10}
	created := func(v *csi.Volume) proto.Message { return &csi.CreateVolumeResponse{Volume: v} }
	within := func(segments ...map[string]string) proto.Message {
		v := proto.CloneOf(plain)
		for _, s := range segments {
			v.AccessibleTopology = append(v.AccessibleTopology, &csi.Topology{Segments: s})
		}
		return created(v)
	}
	taken := func(at *timestamppb.Timestamp) proto.Message {
		return &csi.CreateSnapshotResponse{Snapshot: &csi.Snapshot{SnapshotId: "s", SourceVolumeId: "v", CreationTime: at}}
	}
	asking := func(required, limit int64) proto.Message {
		return &csi.CreateVolumeRequest{CapacityRange: &csi.CapacityRange{RequiredBytes: required, LimitBytes: limit}}
	}
	entry := &csi.ListVolumesResponse_Entry{Volume: plain}
	sound := &csi.Snapshot{SnapshotId: "s", SourceVolumeId: "v", CreationTime: timestamppb.Now(), GroupSnapshotId: "g", ReadyToUse: true}
	waiting := proto.CloneOf(sound)
	waiting.ReadyToUse = false
	grouped := func(id string, s *csi.Snapshot) proto.Message {
		return &csi.CreateVolumeGroupSnapshotResponse{GroupSnapshot: &csi.VolumeGroupSnapshot{GroupSnapshotId: id, Snapshots: []*csi.Snapshot{s}, CreationTime: timestamppb.Now(), ReadyToUse: true}}
	}
	for _, c := range []struct {
		name    string
		request proto.Message
		given   proto.Message
		want    string
	}{
		{"a sound volume", asking(10, 10), created(plain), ""},
		{"no volume", asking(10, 0), created(nil), "VOL-03"},
		{"no volume_id", asking(0, 0), created(&csi.Volume{}), "VOL-03"},
		{"a volume_id that is too long", asking(0, 0), created(&csi.Volume{VolumeId: strings.Repeat("v", 129)}), "GEN-04"},
		{"a negative size", asking(0, 0), created(&csi.Volume{VolumeId: "v", CapacityBytes: -1}), "VOL-02"},
		{"an unknown size", asking(10, 10), created(&csi.Volume{VolumeId: "v"}), ""},
		{"a size that is too small", asking(11, 0), created(plain), "CR-03"},
		{"a size that is too large", asking(0, 9), created(plain), "CR-05"},
		{"a range that contradicts itself", asking(12, 9), created(plain), ""},
		{"a source without an id", asking(0, 0), created(&csi.Volume{VolumeId: "v", ContentSource: &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Snapshot{Snapshot: &csi.VolumeContentSource_SnapshotSource{}}}}), "GEN-05"},
		{"valid topologies", asking(0, 0), within(map[string]string{"a.b/zone": "Z2", "zone": "Z2"}, map[string]string{"a.b/zone": "Z3"}), ""},
		{"an empty value", asking(0, 0), within(map[string]string{"zone": ""}), "TO-09"},
		{"a value that is too long", asking(0, 0), within(map[string]string{"zone": strings.Repeat("z", 64)}), "TO-10"},
		{"keys of two prefixes", asking(0, 0), within(map[string]string{"a.b/zone": "Z2", "c.d/zone": "Z2"}), "TO-06"},
		{"keys in two letter cases", asking(0, 0), within(map[string]string{"zone": "Z2"}, map[string]string{"Zone": "Z2"}), "TO-08"},
		{"a snapshot", &csi.CreateSnapshotRequest{}, taken(timestamppb.Now()), ""},
		{"a snapshot without a time", &csi.CreateSnapshotRequest{}, taken(nil), "SN-03"},
		{"a snapshot of 1970", &csi.CreateSnapshotRequest{}, taken(&timestamppb.Timestamp{}), "SN-03"},
		{"the same volume twice", &csi.ListVolumesRequest{}, &csi.ListVolumesResponse{Entries: []*csi.ListVolumesResponse_Entry{entry, entry}}, "LV-01 regretted"},
		{"a negative maximum", &csi.GetCapacityRequest{}, &csi.GetCapacityResponse{MaximumVolumeSize: wrapperspb.Int64(-1)}, "CAP-17"},
		{"no capacity at all", &csi.GetCapacityRequest{}, &csi.GetCapacityResponse{}, ""},
		{"bytes of which there are none", &csi.NodeGetVolumeStatsRequest{}, &csi.NodeGetVolumeStatsResponse{Usage: []*csi.VolumeUsage{{Unit: csi.VolumeUsage_BYTES}}}, "NV-03"},
		{"a growth that does not say how far", &csi.ControllerExpandVolumeRequest{}, &csi.ControllerExpandVolumeResponse{}, "CE-13"},
		{"a node without an id", &csi.NodeGetInfoRequest{}, &csi.NodeGetInfoResponse{}, "NI-06"},
		{"a node whose id is too long", &csi.NodeGetInfoRequest{}, &csi.NodeGetInfoResponse{NodeId: strings.Repeat("n", 257)}, "NI-09"},
		{"a page that is too long", &csi.ListVolumesRequest{MaxEntries: 1}, &csi.ListVolumesResponse{Entries: []*csi.ListVolumesResponse_Entry{entry, {Volume: &csi.Volume{VolumeId: "w"}}}}, "LV-03"},
		{"another volume", &csi.ControllerGetVolumeRequest{VolumeId: "w"}, &csi.ControllerGetVolumeResponse{Volume: plain, Status: &csi.ControllerGetVolumeResponse_VolumeStatus{}}, "LV-15"},
		{"a snapshot of another volume", &csi.CreateSnapshotRequest{SourceVolumeId: "w"}, taken(timestamppb.Now()), "SN-02"},
		{"a list with a snapshot of another volume", &csi.ListSnapshotsRequest{SourceVolumeId: "w"}, &csi.ListSnapshotsResponse{Entries: []*csi.ListSnapshotsResponse_Entry{{Snapshot: sound}}}, "LS-01"},
		{"a list by two fields", &csi.ListSnapshotsRequest{SourceVolumeId: "w", SnapshotId: "s"}, &csi.ListSnapshotsResponse{Entries: []*csi.ListSnapshotsResponse_Entry{{Snapshot: sound}}}, ""},
		{"a group without a snapshot of a volume", &csi.CreateVolumeGroupSnapshotRequest{SourceVolumeIds: []string{"v", "w"}}, grouped("g", sound), "VGS-03"},
		{"a group with a snapshot of another group", &csi.CreateVolumeGroupSnapshotRequest{SourceVolumeIds: []string{"v"}}, grouped("h", sound), "SN-09"},
		{"a group that is ready before its snapshot", &csi.CreateVolumeGroupSnapshotRequest{SourceVolumeIds: []string{"v"}}, grouped("g", waiting), "VGS-16"},
		{"a capability as it was asked for", &csi.ValidateVolumeCapabilitiesRequest{}, &csi.ValidateVolumeCapabilitiesResponse{Confirmed: &csi.ValidateVolumeCapabilitiesResponse_Confirmed{VolumeCapabilities: []*csi.VolumeCapability{{}}}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, flaw := range new(Judge).Flaws("the controller", c.request, c.given) {
				text := flaw.Clause
				if flaw.Regretted {
					text += " regretted"
				}
				if !slices.Contains(got, text) {
					got = append(got, text)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestKeysOfAllAnswersAreJudged(t *testing.T) {
	node := func(key string) proto.Message {
		return &csi.NodeGetInfoResponse{NodeId: "n", AccessibleTopology: &csi.Topology{Segments: map[string]string{key: "Z2"}}}
	}
	j := &Judge{}
	for _, c := range []struct {
		key  string
		want int
	}{{"a.b/zone", 0}, {"a.b/zone", 0}, {"a.b/Zone", 1}, {"a.b/Zone", 0}, {"c.d/region", 1}, {"region", 0}} {
		if got := j.Flaws("the controller", &csi.NodeGetInfoRequest{}, node(c.key)); len(got) != c.want {
			t.Errorf("%s: got %v, want %d flaws", c.key, got, c.want)
		}
	}
}
