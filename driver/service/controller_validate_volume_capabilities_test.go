// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

func TestValidateVolumeCapabilities(t *testing.T) {
	c := newTestController(t)
	v := c.create(with(request("volume", "Z2"), "class", "fast"))
	for _, test := range []struct {
		name   string
		change func(*csi.ValidateVolumeCapabilitiesRequest)
		want   string // in the message; "" means confirmed
	}{
		{"what it can do", func(*csi.ValidateVolumeCapabilitiesRequest) {}, ""},
		{"all that it can do", func(r *csi.ValidateVolumeCapabilitiesRequest) {
			r.VolumeCapabilities = append(r.VolumeCapabilities, block(), capability(csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY))
		}, ""},
		{"with its parameters", func(r *csi.ValidateVolumeCapabilitiesRequest) {
			r.Parameters = map[string]string{"zones": "1", "class": "fast", "kind": "image"}
			r.MutableParameters = map[string]string{"allocation": "thin"}
		}, ""},
		{"one of two that it can", func(r *csi.ValidateVolumeCapabilitiesRequest) {
			r.VolumeCapabilities = append(r.VolumeCapabilities, capability(csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY))
		}, "does not have access mode MULTI_NODE_READER_ONLY"},
		{"with another number of zones", func(r *csi.ValidateVolumeCapabilitiesRequest) {
			r.Parameters = map[string]string{"zones": "2", "class": "fast"}
		}, "accessible from 1 segment(s), not 2"},
		{"with another class", func(r *csi.ValidateVolumeCapabilitiesRequest) { r.Parameters = map[string]string{"zones": "1"} }, `of kind "image" and class "fast", not "image" and ""`},
		{"with another kind", func(r *csi.ValidateVolumeCapabilitiesRequest) {
			r.Parameters = map[string]string{"class": "fast", "kind": "memory"}
		}, `not "memory" and "fast"`},
		{"with a context that is not its own", func(r *csi.ValidateVolumeCapabilitiesRequest) { r.VolumeContext["from"] = "elsewhere" }, `volume_context has the key "from"`},
		{"with unknown parameters", func(r *csi.ValidateVolumeCapabilitiesRequest) { r.Parameters = map[string]string{"x": "2"} }, `parameter "x" is unknown`},
		{"with another allocation", func(r *csi.ValidateVolumeCapabilitiesRequest) {
			r.MutableParameters = map[string]string{"allocation": "thick"}
		}, "has its bytes allocated: false, requested: true"},
		{"with unknown mutable parameters", func(r *csi.ValidateVolumeCapabilitiesRequest) { r.MutableParameters = map[string]string{"x": "2"} }, `mutable parameter "x" is unknown`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &csi.ValidateVolumeCapabilitiesRequest{
				VolumeId:           v.GetVolumeId(),
				VolumeCapabilities: []*csi.VolumeCapability{writer()},
				VolumeContext:      map[string]string{"storage.kubernetes.io/csiProvisionerIdentity": "1"},
			}
			test.change(r)
			response, err := c.ValidateVolumeCapabilities(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			want := &csi.ValidateVolumeCapabilitiesResponse_Confirmed{VolumeContext: r.VolumeContext, VolumeCapabilities: r.VolumeCapabilities, Parameters: r.Parameters, MutableParameters: r.MutableParameters}
			if test.want != "" {
				want = nil
			}
			if size := len(response.GetMessage()); size > 128 {
				t.Errorf("message has %d bytes, want 128 at most", size)
			}
			if !proto.Equal(response.GetConfirmed(), want) || !strings.Contains(response.GetMessage(), test.want) {
				t.Errorf("got %v, want confirmed %v and message %q", response, want, test.want)
			}
		})
	}
	_, err := c.ValidateVolumeCapabilities(t.Context(), &csi.ValidateVolumeCapabilitiesRequest{VolumeId: v.GetVolumeId()})
	expectRefused(t, err, codes.InvalidArgument, "volume_capabilities is required")
	_, err = c.ValidateVolumeCapabilities(t.Context(), &csi.ValidateVolumeCapabilitiesRequest{VolumeCapabilities: []*csi.VolumeCapability{writer()}})
	expectRefused(t, err, codes.InvalidArgument, "volume_id is required")
	_, err = c.ValidateVolumeCapabilities(t.Context(), &csi.ValidateVolumeCapabilitiesRequest{VolumeId: "x", VolumeCapabilities: []*csi.VolumeCapability{writer()}})
	expectRefused(t, err, codes.NotFound, "there is no volume")
}
