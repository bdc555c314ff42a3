// SPDX-License-Identifier: Apache-2.0

package answer

import (
	"slices"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
)

func TestOversized(t *testing.T) {
	long := strings.Repeat("x", 129)
	for _, c := range []struct {
		name  string
		given proto.Message
		want  []string
	}{
		{"nothing", &csi.Volume{}, nil},
		{"a string as long as it may be", &csi.Volume{VolumeId: long[1:]}, nil},
		{"a string that is too long", &csi.Volume{VolumeId: long}, []string{"csi.v1.Volume.volume_id has 129 bytes and may have 128"}},
		{"one in a message", &csi.CreateVolumeResponse{Volume: &csi.Volume{VolumeId: long}}, []string{"csi.v1.Volume.volume_id has 129 bytes and may have 128"}},
		{"one in a list of messages", &csi.ListVolumesResponse{Entries: []*csi.ListVolumesResponse_Entry{{}, {Volume: &csi.Volume{VolumeId: long}}}},
			[]string{"csi.v1.Volume.volume_id has 129 bytes and may have 128"}},
		{"an id of a node", &csi.NodeGetInfoResponse{NodeId: long}, nil},
		{"ids of nodes", &csi.ListVolumesResponse_VolumeStatus{PublishedNodeIds: []string{long, long + long}},
			[]string{"csi.v1.ListVolumesResponse.VolumeStatus.published_node_ids has 258 bytes and may have 256"}},
		{"flags as long as they may be", &csi.VolumeCapability_MountVolume{MountFlags: []string{long, strings.Repeat("f", 4096-129)}}, nil},
		{"flags that are too long", &csi.VolumeCapability_MountVolume{MountFlags: []string{long, strings.Repeat("f", 4096-128)}},
			[]string{"csi.v1.VolumeCapability.MountVolume.mount_flags has 4097 bytes and may have 4096"}},
		{"a map as large as it may be", &csi.Volume{VolumeContext: map[string]string{"k": strings.Repeat("v", 4095)}}, nil},
		{"a map that is too large", &csi.Volume{VolumeContext: map[string]string{"k": strings.Repeat("v", 2048), "l": strings.Repeat("v", 2047)}},
			[]string{"csi.v1.Volume.volume_context has 4097 bytes and may have 4096"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Oversized(c.given); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
