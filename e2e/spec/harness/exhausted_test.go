// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// TestWhileExhausted checks that a call that is always RESOURCE_EXHAUSTED is repeated for as long as a limit on the rate of
// calls may explain the code.
func TestWhileExhausted(t *testing.T) {
	const (
		size         = 1 << 20
		limit, brief = 50 * time.Second, time.Second
		most         = 2 // volumes for each node
	)
	zone := model.Segment{"zone": "Z2"}
	create := func(ctx context.Context, d *Driver) error {
		_, err := d.Controller.CreateVolume(ctx, d.CreateVolumeRequest(d.Volume(1).Within(zone)))
		return err
	}
	createBlock := func(ctx context.Context, d *Driver) error {
		request := d.CreateVolumeRequest(d.Volume(1).Within(zone))
		request.VolumeCapabilities = []*csi.VolumeCapability{{AccessType: &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}}}}
		_, err := d.Controller.CreateVolume(ctx, request)
		return err
	}
	copied := func(ctx context.Context, d *Driver) error {
		request := d.CreateVolumeRequest(d.Volume(1).Within(zone))
		request.VolumeContentSource = messages.FromSnapshot("s")
		_, err := d.Controller.CreateVolume(ctx, request)
		return err
	}
	snapshot := func(ctx context.Context, d *Driver) error {
		_, err := d.Controller.CreateSnapshot(ctx, &csi.CreateSnapshotRequest{Name: "s", SourceVolumeId: "v"})
		return err
	}
	grow := func(ctx context.Context, d *Driver) error {
		_, err := d.Controller.ControllerExpandVolume(ctx, &csi.ControllerExpandVolumeRequest{VolumeId: "v", CapacityRange: &csi.CapacityRange{RequiredBytes: 3 * size}})
		return err
	}
	attach := func(ctx context.Context, d *Driver) error {
		_, err := d.Controller.ControllerPublishVolume(ctx, &csi.ControllerPublishVolumeRequest{VolumeId: "v", NodeId: "n"})
		return err
	}
	again := func(ctx context.Context, d *Driver) error {
		_, err := d.Controller.CreateVolume(ctx, &csi.CreateVolumeRequest{Name: "made"})
		return err
	}
	snapshotAgain := func(ctx context.Context, d *Driver) error {
		_, err := d.Controller.CreateSnapshot(ctx, &csi.CreateSnapshotRequest{Name: "made", SourceVolumeId: "v"})
		return err
	}
	attachAgain := func(ctx context.Context, d *Driver) error {
		_, err := d.Controller.ControllerPublishVolume(ctx, &csi.ControllerPublishVolumeRequest{VolumeId: "a", NodeId: "n"})
		return err
	}
	remove := func(ctx context.Context, d *Driver) error {
		_, err := d.Controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: "v"})
		return err
	}
	exhausted := func(int) (proto.Message, error) { return nil, status.Error(codes.ResourceExhausted, "no") }
	const untold = -1
	for _, c := range []struct {
		name     string
		call     func(context.Context, *Driver) error
		room     int64 // the reported room of the zone, in bytes
		filled   bool  // by the case
		attached int   // volumes, by the case
		shown    bool  // that the driver limits rates
		want     time.Duration
	}{
		{"a call that needs no room", remove, 0, true, most, false, limit},
		{"a volume, and there is room", create, size, false, 0, false, limit},
		{"a volume, and there is too little", create, size - 1, false, 0, false, 0},
		{"a volume, and the case has filled the zone", create, untold, true, 0, false, 0},
		{"a volume, and the case has given back what it had filled", create, size, true, 0, false, limit},
		{"a volume, and nobody knows", create, untold, false, 0, false, brief},
		{"a volume, and nobody knows, of a driver that limits rates", create, untold, false, 0, true, limit},
		{"a volume of a kind that the driver has no room for, and there is room for others", createBlock, size, false, 0, false, brief},
		{"a volume of a kind that the driver has no room for, and there is too little for others", createBlock, size - 1, false, 0, false, 0},
		{"a copy, and there is room", copied, size, false, 0, false, brief},
		{"a copy, and there is too little", copied, size - 1, false, 0, false, 0},
		{"a snapshot, and there is room", snapshot, size, false, 0, false, brief},
		{"a snapshot, and there is too little", snapshot, size - 1, false, 0, false, 0},
		{"a volume that there is already, and there is too little room", again, 0, true, 0, false, brief},
		{"a snapshot that there is already, and there is too little room", snapshotAgain, 0, true, 0, false, brief},
		{"an attachment that there is already, and there may be no more", attachAgain, 0, false, most, false, brief},
		{"a growth, and there is room", grow, 2 * size, false, 0, false, brief},
		{"a growth, and there is too little", grow, 2*size - 1, false, 0, false, 0},
		{"a growth, and nobody knows", grow, untold, false, 0, false, brief},
		{"an attachment, and there may be more", attach, 0, false, most - 1, false, brief},
		{"an attachment, and there may be no more", attach, 0, false, most, false, 0},
	} {
		onFakeTime(t, c.name, func(t *testing.T) {
			driver := noBlocks{answers{made: map[string]int{}, calls: map[string]func(int) (proto.Message, error){
				"CreateVolume": exhausted, "CreateSnapshot": exhausted, "ControllerExpandVolume": exhausted, "ControllerPublishVolume": exhausted, "DeleteVolume": exhausted,
				"GetCapacity": func(int) (proto.Message, error) { return &csi.GetCapacityResponse{AvailableCapacity: c.room}, nil },
			}}}
			d := connect(&Target{Controller: &driver, Profile: profile.Profile{VolumeBytes: size, Capacity: profile.Exact}, Timeouts: profile.Timeouts{Provision: limit, Query: limit}}, &health.Health{}, "case")
			d.know(&claims{
				plugin:     map[csi.PluginCapability_Service_Type]bool{csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS: true},
				controller: map[csi.ControllerServiceCapability_RPC_Type]bool{csi.ControllerServiceCapability_RPC_GET_CAPACITY: c.room != untold},
				learnt:     model.Set{zone},
			})
			d.Nodes = []*Node{{ID: "n", MaxVolumes: most}}
			d.Room.Begin(nil)
			if c.filled {
				d.Room.Filled, d.Room.World = model.Set{zone}, d.Room.World.With(zone, model.NoneFor(size))
			}
			volume := &csi.Volume{VolumeId: "v", CapacityBytes: size, AccessibleTopology: messages.Topologies(model.Set{zone})}
			d.Made.Answered(&csi.CreateSnapshotRequest{Name: "made"}, &csi.CreateSnapshotResponse{Snapshot: &csi.Snapshot{SnapshotId: "s"}})
			d.Made.Answered(&csi.CreateVolumeRequest{Name: "made"}, &csi.CreateVolumeResponse{Volume: volume})
			for i := range c.attached {
				enterPublication(d, &csi.ControllerPublishVolumeRequest{VolumeId: string(rune('a' + i)), NodeId: "n"})
			}
			d.health.LimitsRates.Store(c.shown)

			begin := time.Now()
			err := c.call(attempt.Tolerant(t.Context()), d)

			// The pause before the last attempt ends later: it is up to 0.66 times the time that has passed before, as
			// pauses grow by a factor of 1.6 and have a jitter of 0.1.
			if took := time.Since(begin); status.Code(err) != codes.ResourceExhausted || took < c.want || took > c.want+c.want*2/3 {
				t.Errorf("it took %s, and ended as %v, want %s", took, err, c.want)
			}
		})
	}
}

// noBlocks simulates a driver that reports no room for block volumes.
type noBlocks struct{ answers }

// Invoke answers as the map says, except for the room for block volumes.
func (n *noBlocks) Invoke(ctx context.Context, method string, request, response any, options ...grpc.CallOption) error {
	if asked, is := request.(*csi.GetCapacityRequest); is && asked.GetVolumeCapabilities()[0].GetBlock() != nil {
		return nil
	}
	return n.answers.Invoke(ctx, method, request, response, options...)
}

// TestLimitsRates checks that only a call that needs no room shows that rates are limited: others may have made room.
func TestLimitsRates(t *testing.T) {
	atFirst := func(then proto.Message) func(int) (proto.Message, error) {
		return func(earlier int) (proto.Message, error) {
			if earlier == 0 {
				return nil, status.Error(codes.ResourceExhausted, "no")
			}
			return then, nil
		}
	}
	for _, c := range []struct {
		name string
		call func(context.Context, *Driver) error
		want bool
	}{
		{"a deletion", func(ctx context.Context, d *Driver) error {
			_, err := d.Controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: "v"})
			return err
		}, true},
		{"an attachment", func(ctx context.Context, d *Driver) error {
			_, err := d.Controller.ControllerPublishVolume(ctx, &csi.ControllerPublishVolumeRequest{VolumeId: "v", NodeId: "n"})
			return err
		}, false},
	} {
		onFakeTime(t, c.name, func(t *testing.T) {
			driver := &answers{made: map[string]int{}, calls: map[string]func(int) (proto.Message, error){
				"DeleteVolume": atFirst(&csi.DeleteVolumeResponse{}), "ControllerPublishVolume": atFirst(&csi.ControllerPublishVolumeResponse{}),
			}}
			d := connect(&Target{Controller: driver, Timeouts: profile.Timeouts{Provision: time.Minute}}, &health.Health{}, "case")
			d.know(&claims{})
			if err := c.call(t.Context(), d); err != nil {
				t.Fatal(err)
			}
			if got := d.health.LimitsRates.Load(); got != c.want {
				t.Errorf("that the driver limits rates is known: %t, want %t", got, c.want)
			}
		})
	}
}
