// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
)

func modifyRequest(v *csi.Volume, allocation string) *csi.ControllerModifyVolumeRequest {
	return &csi.ControllerModifyVolumeRequest{VolumeId: v.GetVolumeId(), MutableParameters: map[string]string{"allocation": allocation}}
}

// expectAllocated checks the allocation that ValidateVolumeCapabilities confirms, and that of the last request to the
// disk.
func (c *testController) expectAllocated(v *csi.Volume, allocated bool) {
	c.t.Helper()
	name := map[bool]string{false: "thin", true: "thick"}[allocated]
	response, err := c.ValidateVolumeCapabilities(c.t.Context(), &csi.ValidateVolumeCapabilitiesRequest{
		VolumeId: v.GetVolumeId(), VolumeCapabilities: []*csi.VolumeCapability{writer()}, MutableParameters: map[string]string{"allocation": name},
	})
	if err != nil || response.GetConfirmed() == nil {
		c.t.Errorf("got %v and %v, want the volume to be %s", response, err, name)
	}
	if got := c.disk.sizes[v.GetVolumeId()].Allocated; got != allocated {
		c.t.Errorf("the disk was asked for a volume that is allocated: %t, want %t", got, allocated)
	}
}

func TestModifyVolume(t *testing.T) {
	c := newTestController(t)
	v := c.create(request("volume", "Z2"))
	c.publish(v, "n2")
	c.expectAllocated(v, false)
	for _, allocation := range []string{"thin", "thick", "thick", "thin", "thick"} {
		if _, err := c.ControllerModifyVolume(t.Context(), modifyRequest(v, allocation)); err != nil {
			t.Fatal(err)
		}
		c.expectAllocated(v, allocation == "thick")
		if got := c.disk.sizes[v.GetVolumeId()].Bytes; got != 10*mib {
			t.Errorf("the disk was asked for %d bytes, want 10 MiB", got)
		}
	}
	c.expectBytes(v, 10*mib)
	c.expectOn(v, "n2")
	c.expectTaken(map[string]int64{"Z2": 10 * mib})
	c.restart()
	c.expectAllocated(v, true)
	if _, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, 20*mib)); err != nil {
		t.Fatal(err)
	}
	c.expectAllocated(v, true)
}

// TestModifyVolumeThatIsSoAlready checks that the disk is not changed if the volume already has the parameters.
func TestModifyVolumeThatIsSoAlready(t *testing.T) {
	c := newTestController(t)
	r := request("volume", "Z2")
	r.MutableParameters = map[string]string{"allocation": "thick"}
	thick := c.create(r)
	c.expectAllocated(thick, true)
	dir := c.create(with(request("dir", "Z2"), "kind", "dir"))
	c.watch = func(step string, _ bool) error { return fmt.Errorf("no %s was to be", step) }
	for _, modify := range []*csi.ControllerModifyVolumeRequest{
		modifyRequest(thick, "thick"),
		modifyRequest(dir, "thin"),
		{VolumeId: thick.GetVolumeId(), MutableParameters: map[string]string{"csi.storage.k8s.io/pvc/name": "data"}},
	} {
		if _, err := c.ControllerModifyVolume(t.Context(), modify); err != nil {
			t.Error(err)
		}
	}
}

func TestModifyVolumeRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		kind   string
		change func(*csi.ControllerModifyVolumeRequest)
		code   codes.Code
		want   string
	}{
		{"no volume", "image", func(r *csi.ControllerModifyVolumeRequest) { r.VolumeId = "" }, codes.InvalidArgument, "volume_id is required"},
		{"an id too long", "image", func(r *csi.ControllerModifyVolumeRequest) { r.VolumeId = strings.Repeat("v", 129) }, codes.InvalidArgument, "volume_id has 129 bytes"},
		{"an unknown volume", "image", func(r *csi.ControllerModifyVolumeRequest) { r.VolumeId = "image-" + uuid.NewString() }, codes.NotFound, "there is no volume"},
		{"no parameters", "image", func(r *csi.ControllerModifyVolumeRequest) { r.MutableParameters = nil }, codes.InvalidArgument, "mutable_parameters is required"},
		{"an unknown parameter besides a known one", "image", func(r *csi.ControllerModifyVolumeRequest) { r.MutableParameters["zones"] = "2" }, codes.InvalidArgument, `mutable parameter "zones" is unknown`},
		{"an unknown value", "image", func(r *csi.ControllerModifyVolumeRequest) { r.MutableParameters["allocation"] = "" }, codes.InvalidArgument, `must be "thin" or "thick", and is ""`},
		{"thick, of kind dir", "dir", func(*csi.ControllerModifyVolumeRequest) {}, codes.InvalidArgument, `kind "dir" has no blocks to allocate`},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			v := c.create(with(request("volume", "Z2"), "kind", test.kind))
			c.watch = func(step string, _ bool) error { return fmt.Errorf("no %s was to be", step) }
			r := modifyRequest(v, "thick")
			test.change(r)
			_, err := c.ControllerModifyVolume(t.Context(), r)
			expectRefused(t, err, test.code, test.want)
			c.expectAllocated(v, false)
		})
	}
}

// TestModifyVolumeThatFails checks that a volume of which the disk could allocate only a part is still thin, and becomes
// thick when the call is repeated; so does one whose allocation could not be recorded.
func TestModifyVolumeThatFails(t *testing.T) {
	for _, test := range []struct {
		step  string
		after bool
		err   error
		code  codes.Code
	}{
		{"Resize", false, fmt.Errorf("allocating: %w", syscall.ENOSPC), codes.ResourceExhausted},
		{"Resize", true, fmt.Errorf("allocating: %w", syscall.ENOSPC), codes.ResourceExhausted},
		{"Resize", true, errors.New("the disk is on fire"), codes.Internal},
		{"commit volume ready", false, errors.New("the disk is on fire"), codes.Internal},
	} {
		t.Run(fmt.Sprintf("%v at %s, taken: %t", test.err, test.step, test.after), func(t *testing.T) {
			c := newTestController(t)
			v := c.create(request("volume", "Z2"))
			c.watch = failing(test.step, test.after, test.err)
			_, err := c.ControllerModifyVolume(t.Context(), modifyRequest(v, "thick"))
			expectRefused(t, err, test.code, test.err.Error())
			c.watch = nil
			response, err := c.ValidateVolumeCapabilities(t.Context(), &csi.ValidateVolumeCapabilitiesRequest{
				VolumeId: v.GetVolumeId(), VolumeCapabilities: []*csi.VolumeCapability{writer()}, MutableParameters: map[string]string{"allocation": "thick"},
			})
			if err != nil || response.GetConfirmed() != nil {
				t.Errorf("got %v and %v, want the volume not to be confirmed as thick", response, err)
			}
			c.expectTaken(map[string]int64{"Z2": 10 * mib})
			if _, err := c.ControllerModifyVolume(t.Context(), modifyRequest(v, "thick")); err != nil {
				t.Error(err)
			}
			c.expectAllocated(v, true)
		})
	}
}
