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
	v := c.create(request("volume", "Z2"))
	for _, test := range []struct {
		name   string
		change func(*csi.ValidateVolumeCapabilitiesRequest)
		want   string // in the message; "" is confirmed
	}{
		{"what it can do", func(*csi.ValidateVolumeCapabilitiesRequest) {}, ""},
		{"with its parameters", func(r *csi.ValidateVolumeCapabilitiesRequest) { r.Parameters = map[string]string{"zones": "1"} }, ""},
		{"one of two that it can", func(r *csi.ValidateVolumeCapabilitiesRequest) {
			r.VolumeCapabilities = append(r.VolumeCapabilities, capability(csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY))
		}, "MULTI_NODE_READER_ONLY is not supported"},
		{"block access", func(r *csi.ValidateVolumeCapabilitiesRequest) { r.VolumeCapabilities[0] = block() }, "block access is not supported"},
		{"with other parameters", func(r *csi.ValidateVolumeCapabilitiesRequest) { r.Parameters = map[string]string{"zones": "2"} }, "accessible from 1 segment(s), not 2"},
		{"with unknown parameters", func(r *csi.ValidateVolumeCapabilitiesRequest) { r.Parameters = map[string]string{"x": "2"} }, `parameter "x" is unknown`},
		{"with mutable parameters", func(r *csi.ValidateVolumeCapabilitiesRequest) { r.MutableParameters = map[string]string{"x": "2"} }, "mutable_parameters are not supported"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &csi.ValidateVolumeCapabilitiesRequest{
				VolumeId:           v.GetVolumeId(),
				VolumeCapabilities: []*csi.VolumeCapability{writer()},
				VolumeContext:      map[string]string{"from": "elsewhere"},
			}
			test.change(r)
			response, err := c.ValidateVolumeCapabilities(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			want := &csi.ValidateVolumeCapabilitiesResponse_Confirmed{VolumeContext: r.VolumeContext, VolumeCapabilities: r.VolumeCapabilities, Parameters: r.Parameters}
			if test.want != "" {
				want = nil
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
