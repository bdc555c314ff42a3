// SPDX-License-Identifier: Apache-2.0

package general

import (
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
)

func TestWithout(t *testing.T) {
	complete := func() *csi.CreateVolumeRequest {
		return &csi.CreateVolumeRequest{Name: "n", VolumeCapabilities: []*csi.VolumeCapability{{
			AccessType: &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}},
			AccessMode: &csi.VolumeCapability_AccessMode{Mode: 1},
		}}}
	}
	for _, c := range []struct {
		given string
		want  func(*csi.CreateVolumeRequest)
	}{
		{"name", func(r *csi.CreateVolumeRequest) { r.Name = "" }},
		{"volume_capabilities", func(r *csi.CreateVolumeRequest) { r.VolumeCapabilities = nil }},
		{"volume_capabilities.access_mode", func(r *csi.CreateVolumeRequest) { r.VolumeCapabilities[0].AccessMode = nil }},
		{"volume_capabilities.access_mode.mode", func(r *csi.CreateVolumeRequest) { r.VolumeCapabilities[0].AccessMode.Mode = 0 }},
		{"volume_capabilities.access_type", func(r *csi.CreateVolumeRequest) { r.VolumeCapabilities[0].AccessType = nil }},
		{"volume_capabilities.block", func(r *csi.CreateVolumeRequest) { r.VolumeCapabilities[0].AccessType = nil }},
	} {
		t.Run(c.given, func(t *testing.T) {
			given, want := complete(), complete()
			c.want(want)
			if got := without(given, c.given); !proto.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
			if !proto.Equal(given, complete()) {
				t.Errorf("the request itself became %v", given)
			}
		})
	}
	defer func() {
		if recover() == nil {
			t.Error("a field that there is not should panic")
		}
	}()
	without(complete(), "no_such_field")
}
