// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"cmp"
	"context"
	"maps"
	"strings"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// whileExhausted is how long a call is repeated that is answered RESOURCE_EXHAUSTED. A back end that limits the rate of calls
// may answer any of them so, which passes; a driver without room, or with as many attachments as a node may have, answers
// some of them so, which lasts. Where what the driver tells leaves that open, it is a part of the limit, until a call that
// needs no room has shown that the driver limits rates.
func (c connection) whileExhausted(ctx context.Context, request any, limit time.Duration) time.Duration {
	const part = 50 // of the limit
	switch c.driver.fullness(ctx, request) {
	case isFull:
		return 0
	case hasRoom:
		return limit
	default:
		if c.driver.health.limitsRates.Load() {
			return limit
		}
		return limit / part
	}
}

// noteRate keeps that a call was answered otherwise after RESOURCE_EXHAUSTED though nothing can have been full.
func (c connection) noteRate(request any, before, now error) {
	if status.Code(before) == codes.ResourceExhausted && status.Code(now) != codes.ResourceExhausted && !needsRoom(request) {
		c.driver.health.limitsRates.Store(true)
	}
}

// fullness is what is known of the room for what a call asks for.
type fullness int

const (
	mayBeFull fullness = iota
	isFull
	hasRoom
)

// fullness reports what is known of the room that the request needs, after it was answered RESOURCE_EXHAUSTED.
func (d *Driver) fullness(ctx context.Context, request any) fullness {
	if needsRoom(request) && (d.claims == nil || d.isRepeated(request)) {
		return mayBeFull
	}
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		return d.fullnessForVolume(ctx, r)
	case *csi.CreateSnapshotRequest:
		volume := d.made.volume(r.GetSourceVolumeId())
		return d.fullnessFor(ctx, volume, volume.GetCapacityBytes())
	case *csi.ControllerExpandVolumeRequest:
		volume := d.made.volume(r.GetVolumeId())
		return d.fullnessFor(ctx, volume, r.GetCapacityRange().GetRequiredBytes()-volume.GetCapacityBytes())
	case *csi.ControllerPublishVolumeRequest:
		return d.fullnessOf(r.GetNodeId())
	default:
		if needsRoom(request) {
			return mayBeFull
		}
		return hasRoom
	}
}

// isRepeated reports whether the request asks for what the case has already, which takes no room again.
func (d *Driver) isRepeated(request any) bool {
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		return d.made.keepsName(r.GetName())
	case *csi.CreateSnapshotRequest:
		return d.made.keepsName(r.GetName())
	case *csi.ControllerPublishVolumeRequest:
		return d.ledger.has(publication(r.GetVolumeId(), r.GetNodeId()))
	default:
		return false
	}
}

// needsRoom reports whether a call with the request may be refused because something is full: there is a row for that in its
// table of errors, or drivers say it so for want of one.
func needsRoom(request any) bool {
	switch request.(type) {
	case *csi.CreateVolumeRequest, *csi.CreateSnapshotRequest, *csi.CreateVolumeGroupSnapshotRequest, *csi.ControllerPublishVolumeRequest,
		*csi.ControllerExpandVolumeRequest, *csi.ControllerModifyVolumeRequest, *csi.NodeExpandVolumeRequest:
		return true
	default:
		return false
	}
}

// fullnessForVolume asks the oracle whether RESOURCE_EXHAUSTED is right, given the room that there is by now. A copy may be
// possible in no other segment than its source.
func (d *Driver) fullnessForVolume(ctx context.Context, r *csi.CreateVolumeRequest) fullness {
	asked, known := d.askedBy(r)
	if !known {
		return mayBeFull
	}
	if len(d.segments) == 0 {
		return d.fullnessFor(ctx, &csi.Volume{}, asked.Bytes)
	}
	world, err := d.worldNow(ctx)
	if err != nil {
		return mayBeFull
	}
	for _, segment := range d.segments {
		if reach := d.made.reach(r.GetVolumeContentSource()); len(reach) > 0 && !within(reach, segment) {
			world = world.With(segment, model.NoneFor(asked.Bytes))
		}
	}
	switch grade := model.AnswersTo(asked, world).Judge(model.Answer{Code: codes.ResourceExhausted}).Grade; {
	case grade == model.Allowed:
		return isFull
	case grade == model.Forbidden && r.GetVolumeContentSource() == nil && r.GetCapacityRange().GetRequiredBytes() > 0:
		return hasRoom
	default:
		return mayBeFull
	}
}

// worldNow is the world with the room that the driver tells of now, but in segments that the case has filled, unless
// capacity is known to the byte there: the case may have given some back.
func (d *Driver) worldNow(ctx context.Context) (model.World, error) {
	rooms, err := d.readRooms(ctx)
	world := d.world
	for _, segment := range d.usable {
		stays := d.filled.Contains(segment) && (d.target.Exhaust != nil || !d.Profile().Capacity.Exact())
		if now, told := rooms[segment.String()]; told && !stays {
			world = world.With(segment, d.roomIn(now))
		}
	}
	return world, err
}

// askedBy is what the request asks of the oracle; known is false for parameters of which nobody says from how many
// topologies such a volume is accessible.
func (d *Driver) askedBy(r *csi.CreateVolumeRequest) (asked model.Request, known bool) {
	for _, x := range d.Profile().Numbers() {
		if kind, _ := d.Profile().Kind(x); maps.Equal(kind.Parameters, r.GetParameters()) {
			asked = d.Volume(x).OfBytes(cmp.Or(r.GetCapacityRange().GetRequiredBytes(), d.Size()))
			required := r.GetAccessibilityRequirements()
			asked.Requisite, asked.Preferred = Segments(required.GetRequisite()), Segments(required.GetPreferred())
			asked.Empty = required != nil && asked.Free()
			return asked, true
		}
	}
	return model.Request{}, false
}

// fullnessFor reports whether the driver tells of less than so many bytes in a segment that the volume is accessible from.
// That there are as many does not say that there is room: a copy may be kept elsewhere, or take more.
func (d *Driver) fullnessFor(ctx context.Context, volume *csi.Volume, bytes int64) fullness {
	rooms, err := d.readRooms(ctx)
	if err != nil {
		return mayBeFull
	}
	for _, segment := range d.watched() {
		there := rooms[segment.String()]
		if concerns := len(volume.GetAccessibleTopology()) == 0 || within(volume.GetAccessibleTopology(), segment); concerns && there.told && there.available < bytes {
			return isFull
		}
	}
	return mayBeFull
}

// fullnessOf reports whether the case has attached as many volumes to the node as it may have. Others may have attached
// more.
func (d *Driver) fullnessOf(nodeID string) fullness {
	var attached int64
	for _, e := range d.ledger.all() {
		if strings.HasSuffix(e.what, " published to node "+nodeID) {
			attached++
		}
	}
	for _, node := range d.Nodes {
		if node.ID == nodeID && node.MaxVolumes > 0 && attached >= node.MaxVolumes {
			return isFull
		}
	}
	return mayBeFull
}
