// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

func TestRecorded(t *testing.T) {
	const most = 2 << 10
	many := &csi.ListVolumesResponse{NextToken: "the next"}
	for i := range 1000 {
		many.Entries = append(many.Entries, &csi.ListVolumesResponse_Entry{Volume: &csi.Volume{VolumeId: fmt.Sprintf("volume-%d", i), CapacityBytes: 1 << 30}})
	}
	wide := map[string]string{}
	for i := range 1000 {
		wide[fmt.Sprintf("key-%04d", i)] = "value"
	}
	strange := &csi.GetPluginInfoResponse{Name: "csi.example.com"}
	strange.ProtoReflect().SetUnknown(protowire.AppendBytes(protowire.AppendTag(nil, 1000, protowire.BytesType), make([]byte, 1<<20)))
	for _, c := range []struct {
		name  string
		given proto.Message
		edit  func(string) string
		want  []string
		whole bool
	}{
		{"a small one", &csi.Volume{VolumeId: "v", CapacityBytes: 1}, nil, []string{`{"capacity_bytes":1,"volume_id":"v"}`}, true},
		{"a small one that is edited", &csi.DeleteVolumeRequest{VolumeId: "abc", Secrets: map[string]string{"k": "v"}},
			strings.ToUpper, []string{`"volume_id":"ABC"`, `"secrets":{"K":"***stripped***"}`}, true},
		{"a long text", &csi.Volume{VolumeId: strings.Repeat("v", 1<<20)}, nil, []string{`"volume_id":"vvv`, "of 1048576 bytes are left out"}, false},
		{"a long list", many, nil, []string{`"volume_id":"volume-0"`, `"next_token":"the next"`}, false},
		{"a large map", &csi.Volume{VolumeId: "v", VolumeContext: wide}, nil, []string{`"key-0000":"value"`, `"volume_id":"v"`}, false},
		{"long keys of a topology", &csi.Topology{Segments: map[string]string{strings.Repeat("k", 1<<20): strings.Repeat("v", 1<<20)}}, nil, []string{"kkk", "vvv"}, false},
		{"unknown fields", strange, nil, []string{`{"name":"csi.example.com"}`}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := proto.Clone(c.given)
			object, size := Recorded(c.given, most, c.edit)
			if !json.Valid(object) || len(object) > 4*most {
				t.Errorf("want JSON of about %d bytes, got %d: %.300s", most, len(object), object)
			}
			for _, want := range c.want {
				if !strings.Contains(string(object), want) {
					t.Errorf("want %q in %.3000s", want, object)
				}
			}
			if wanted := proto.Size(c.given); c.whole && size != 0 || !c.whole && size != wanted {
				t.Errorf("it is said to have %d bytes, and has %d; whole: %t", size, wanted, c.whole)
			}
			if !proto.Equal(before, c.given) {
				t.Error("the message itself was changed")
			}
		})
	}
}
