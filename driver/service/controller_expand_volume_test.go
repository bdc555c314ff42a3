// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
)

func expandRequest(v *csi.Volume, bytes int64) *csi.ControllerExpandVolumeRequest {
	return &csi.ControllerExpandVolumeRequest{VolumeId: v.GetVolumeId(), CapacityRange: &csi.CapacityRange{RequiredBytes: bytes}}
}

// expectBytes checks the size that the driver reports.
func (c *testController) expectBytes(v *csi.Volume, bytes int64) {
	c.t.Helper()
	response, err := c.ControllerGetVolume(c.t.Context(), &csi.ControllerGetVolumeRequest{VolumeId: v.GetVolumeId()})
	if err != nil {
		c.t.Fatal(err)
	}
	if got := response.GetVolume().GetCapacityBytes(); got != bytes {
		c.t.Errorf("the volume has %d bytes, want %d", got, bytes)
	}
}

func TestExpandVolume(t *testing.T) {
	c := newTestController(t)
	r := request("volume", "Z2", "Z3")
	r.Parameters = map[string]string{"zones": "2"}
	v := c.create(r)
	c.publish(v, "n2")
	for _, step := range []struct{ asked, want int64 }{
		{20 * mib, 20 * mib},
		{20 * mib, 20 * mib},
		{5 * mib, 20 * mib}, // never shrunk
		{segmentBytes, segmentBytes},
	} {
		expand := expandRequest(v, step.asked)
		expand.VolumeCapability = writer()
		response, err := c.ControllerExpandVolume(t.Context(), expand)
		if err != nil {
			t.Fatal(err)
		}
		if response.GetCapacityBytes() != step.want || !response.GetNodeExpansionRequired() {
			t.Errorf("expanding to %d: got %v, want %d bytes and the node to expand too", step.asked, response, step.want)
		}
		c.expectBytes(v, step.want)
		c.expectTaken(map[string]int64{"Z2": step.want, "Z3": step.want})
	}
}

func TestExpandVolumeRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*csi.ControllerExpandVolumeRequest)
		code   codes.Code
		want   string
	}{
		{"no volume", func(r *csi.ControllerExpandVolumeRequest) { r.VolumeId = "" }, codes.InvalidArgument, "volume_id is required"},
		{"no range", func(r *csi.ControllerExpandVolumeRequest) { r.CapacityRange = nil }, codes.InvalidArgument, "capacity_range is required"},
		{"an empty range", func(r *csi.ControllerExpandVolumeRequest) { r.CapacityRange.RequiredBytes = 0 }, codes.InvalidArgument, "has neither"},
		{"an unknown volume", func(r *csi.ControllerExpandVolumeRequest) { r.VolumeId = uuid.NewString() }, codes.NotFound, "there is no volume"},
		{"a capability that it does not have", func(r *csi.ControllerExpandVolumeRequest) {
			r.VolumeCapability = capability(csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER)
		}, codes.InvalidArgument, "does not have access mode MULTI_NODE_MULTI_WRITER"},
		{"a limit below its size", func(r *csi.ControllerExpandVolumeRequest) {
			r.CapacityRange = &csi.CapacityRange{RequiredBytes: 1, LimitBytes: 2}
		}, codes.OutOfRange, "cannot shrink"},
		{"more than one of its zones has left", func(*csi.ControllerExpandVolumeRequest) {}, codes.ResourceExhausted, "zone=Z3}, which has 104857600"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			r := request("volume", "Z2", "Z3")
			r.Parameters = map[string]string{"zones": "2"}
			v := c.create(r)
			filler := request("filler", "Z3")
			filler.CapacityRange.RequiredBytes = 890 * mib
			c.create(filler)
			expand := expandRequest(v, 111*mib)
			test.change(expand)
			_, err := c.ControllerExpandVolume(t.Context(), expand)
			expectRefused(t, err, test.code, test.want)
			c.expectBytes(v, 10*mib)
			c.expectTaken(map[string]int64{"Z2": 10 * mib, "Z3": 900 * mib})
		})
	}
}

// TestExpandVolumeOfAClass checks that a volume grows within its own class, and keeps
// its allocation.
func TestExpandVolumeOfAClass(t *testing.T) {
	c := newTestController(t)
	r := with(request("volume", "Z2"), "class", "fast")
	r.MutableParameters = map[string]string{"allocation": "thick"}
	v := c.create(r)
	_, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, fastBytes+1))
	expectRefused(t, err, codes.ResourceExhausted, "which has 41943040")
	if _, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, fastBytes)); err != nil {
		t.Fatal(err)
	}
	c.expectTaken(nil)
	if got := c.available("fast"); got["Z2"] != 0 || got["Z3"] != fastBytes {
		t.Errorf("available of class fast are %v, want none in Z2 and all in Z3", got)
	}
	c.expectAllocated(v, true)
}
