// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/driver/service"
)

// newLocalNode returns a node in node-local mode with its controller, and a volume that is staged there, at the path.
func newLocalNode(t *testing.T) (node *service.LocalNode, c *testController, v *csi.Volume, path string) {
	t.Helper()
	c = newLocalController(t)
	plain, err := service.NewNode(quiet(t), service.NodeConfig{NodeID: "n3", Segment: zone("Z3"), Volumes: c.memory})
	if err != nil {
		t.Fatal(err)
	}
	node = service.NewLocalNode(plain, c.Controller)
	v, path = c.create(request("volume")), t.TempDir()
	if _, err := node.NodeStageVolume(t.Context(), &csi.NodeStageVolumeRequest{VolumeId: v.GetVolumeId(), StagingTargetPath: path, VolumeCapability: writer()}); err != nil {
		t.Fatal(err)
	}
	return node, c, v, path
}

// TestLocalNodeExpandVolume checks that an expansion by a local node includes the controller's part: it takes the bytes
// from the node's capacity.
func TestLocalNodeExpandVolume(t *testing.T) {
	node, c, v, path := newLocalNode(t)
	for _, step := range []struct {
		given *csi.CapacityRange
		want  int64
	}{
		{nil, 10 * mib},
		{&csi.CapacityRange{RequiredBytes: 20 * mib, LimitBytes: 20 * mib}, 20 * mib},
		{&csi.CapacityRange{RequiredBytes: 20 * mib}, 20 * mib},
		{&csi.CapacityRange{RequiredBytes: mib}, 20 * mib}, // never shrunk
		{&csi.CapacityRange{RequiredBytes: segmentBytes}, segmentBytes},
	} {
		response, err := node.NodeExpandVolume(t.Context(), &csi.NodeExpandVolumeRequest{
			VolumeId: v.GetVolumeId(), VolumePath: path, CapacityRange: step.given, VolumeCapability: writer(),
		})
		if err != nil || response.GetCapacityBytes() != step.want {
			t.Errorf("expanding to %v: got %v and %v, want %d bytes", step.given, response, err, step.want)
		}
		c.expectBytes(v, step.want)
		c.expectOwn(step.want)
		stats, err := node.NodeGetVolumeStats(t.Context(), &csi.NodeGetVolumeStatsRequest{VolumeId: v.GetVolumeId(), VolumePath: path})
		if err != nil || stats.GetUsage()[0].GetTotal() != step.want {
			t.Errorf("got %v and %v, want a file system of %d bytes", stats, err, step.want)
		}
	}
}

func TestLocalNodeExpandVolumeRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*csi.NodeExpandVolumeRequest)
		code   codes.Code
		want   string
	}{
		{"no volume", func(r *csi.NodeExpandVolumeRequest) { r.VolumeId = "" }, codes.InvalidArgument, "volume_id is required"},
		{"no path", func(r *csi.NodeExpandVolumeRequest) { r.VolumePath = "" }, codes.InvalidArgument, "volume_path is required"},
		{"an unknown volume", func(r *csi.NodeExpandVolumeRequest) { r.VolumeId = "image-0" }, codes.NotFound, "image-0"},
		{"a path where the volume is not", func(r *csi.NodeExpandVolumeRequest) { r.VolumePath += "x" }, codes.NotFound, "not found"},
		{"an empty range", func(r *csi.NodeExpandVolumeRequest) { r.CapacityRange = &csi.CapacityRange{} }, codes.InvalidArgument, "has neither"},
		{"a limit below its size", func(r *csi.NodeExpandVolumeRequest) { r.CapacityRange = &csi.CapacityRange{LimitBytes: mib} }, codes.OutOfRange, "cannot shrink"},
		{"more than the node has", func(r *csi.NodeExpandVolumeRequest) { r.CapacityRange.RequiredBytes = segmentBytes + 1 }, codes.OutOfRange, "which has"},
		{"a capability that it does not have", func(r *csi.NodeExpandVolumeRequest) {
			r.VolumeCapability = capability(csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER)
		}, codes.InvalidArgument, "MULTI_NODE_MULTI_WRITER"},
	} {
		t.Run(test.name, func(t *testing.T) {
			node, c, v, path := newLocalNode(t)
			r := &csi.NodeExpandVolumeRequest{VolumeId: v.GetVolumeId(), VolumePath: path, CapacityRange: &csi.CapacityRange{RequiredBytes: 20 * mib}}
			test.change(r)
			_, err := node.NodeExpandVolume(t.Context(), r)
			expectRefused(t, err, test.code, test.want)
			c.expectBytes(v, 10*mib)
			c.expectOwn(10 * mib)
		})
	}
}
