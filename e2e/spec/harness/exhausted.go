// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/room"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// whileExhausted returns how long to repeat a call that is answered RESOURCE_EXHAUSTED. A back end that limits the rate
// of calls may answer any call with it, and that passes. A driver without room, or with as many attachments as a node
// may have, answers some calls with it, and that lasts. If the driver's reports do not decide which it is, the result
// is a part of the limit, until a call that needs no room has shown that the driver limits rates.
func whileExhausted(ctx context.Context, d *Driver, request any, limit time.Duration) time.Duration {
	const part = 50 // of the limit
	switch fullnessOfRequest(ctx, d, request) {
	case isFull:
		return 0
	case hasRoom:
		return limit
	default:
		if d.health.LimitsRates.Load() {
			return limit
		}
		return limit / part
	}
}

// noteRate records that a call was answered with another code after RESOURCE_EXHAUSTED though nothing can have been
// full.
func noteRate(d *Driver, request any, before, now error) {
	if status.Code(before) == codes.ResourceExhausted && status.Code(now) != codes.ResourceExhausted && !needsRoom(request) {
		d.health.LimitsRates.Store(true)
	}
}

// fullness describes whether there is room for a request, as far as that is known.
type fullness int

const (
	mayBeFull fullness = iota
	isFull
	hasRoom
)

// fullnessOfRequest reports whether there is room for the request, after it was answered RESOURCE_EXHAUSTED.
func fullnessOfRequest(ctx context.Context, d *Driver, request any) fullness {
	if needsRoom(request) && (d.claims == nil || isRepeated(d, request)) {
		return mayBeFull
	}
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		return fullnessForVolume(ctx, d, r)
	case *csi.CreateSnapshotRequest:
		return fullnessFor(ctx, d, d.Made.Volume(r.GetSourceVolumeId()), bytesOf(d, r))
	case *csi.ControllerExpandVolumeRequest:
		return fullnessFor(ctx, d, d.Made.Volume(r.GetVolumeId()), bytesOf(d, r))
	case *csi.ControllerPublishVolumeRequest:
		return fullnessOfNode(d, r.GetNodeId())
	default:
		if needsRoom(request) {
			return mayBeFull
		}
		return hasRoom
	}
}

// isRepeated reports whether the request asks for something that the case already has, which takes no further room.
func isRepeated(d *Driver, request any) bool {
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		return d.Made.KeepsName(r.GetName())
	case *csi.CreateSnapshotRequest:
		return d.Made.KeepsName(r.GetName())
	case *csi.ControllerPublishVolumeRequest:
		return d.ledger.Has(publication(r.GetVolumeId(), r.GetNodeId()))
	default:
		return false
	}
}

// needsRoom reports whether a call with the request may be refused because something is full: its table of errors has a
// row for that, or drivers report it this way because no row does.
func needsRoom(request any) bool {
	switch request.(type) {
	case *csi.CreateVolumeRequest, *csi.CreateSnapshotRequest, *csi.CreateVolumeGroupSnapshotRequest, *csi.ControllerPublishVolumeRequest,
		*csi.ControllerExpandVolumeRequest, *csi.ControllerModifyVolumeRequest, *csi.NodeExpandVolumeRequest:
		return true
	default:
		return false
	}
}

// fullnessForVolume asks the oracle whether RESOURCE_EXHAUSTED is right, given the current room. A copy may only be
// possible in the segment of its source.
func fullnessForVolume(ctx context.Context, d *Driver, r *csi.CreateVolumeRequest) fullness {
	asked, known := askedBy(d, r)
	if !known {
		return mayBeFull
	}
	if len(d.Room.Segments) == 0 {
		return fullnessFor(ctx, d, &csi.Volume{}, asked.Bytes)
	}
	found := fullnessIn(ctx, d, d.Room.For(r.GetVolumeCapabilities()), r, asked)
	if found == isFull && fullnessIn(ctx, d, d.Room, r, asked) != isFull {
		return mayBeFull // a driver may report no room for kinds of volume that it does not have, which does not mean that it is full
	}
	return found
}

// fullnessIn asks the oracle whether RESOURCE_EXHAUSTED is right, given the room that the driver reports.
func fullnessIn(ctx context.Context, d *Driver, rooms *room.Rooms, r *csi.CreateVolumeRequest, asked model.Request) fullness {
	world, err := rooms.Now(ctx)
	if err != nil {
		return mayBeFull
	}
	for _, segment := range rooms.Segments {
		if reach := d.Made.Reach(r.GetVolumeContentSource()); len(reach) > 0 && !messages.Within(reach, segment) {
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

// askedBy returns the request in the terms of the oracle. known is false for parameters with an unknown number of
// topologies.
func askedBy(d *Driver, r *csi.CreateVolumeRequest) (asked model.Request, known bool) {
	for _, x := range d.Profile().Numbers() {
		if kind, _ := d.Profile().Kind(x); maps.Equal(kind.Parameters, r.GetParameters()) {
			asked = d.Volume(x).OfBytes(cmp.Or(r.GetCapacityRange().GetRequiredBytes(), d.Size()))
			required := r.GetAccessibilityRequirements()
			asked.Requisite, asked.Preferred = messages.Segments(required.GetRequisite()), messages.Segments(required.GetPreferred())
			asked.Empty = required != nil && asked.Free()
			return asked, true
		}
	}
	return model.Request{}, false
}

// fullnessFor reports whether the driver reports less than the given number of bytes in a segment that the volume is
// accessible from. If it reports as many, there may still be no room: a copy may be kept elsewhere, or take more.
func fullnessFor(ctx context.Context, d *Driver, volume *csi.Volume, bytes int64) fullness {
	rooms, err := d.Room.Read(ctx)
	if err != nil {
		return mayBeFull
	}
	for _, segment := range d.Room.Watched() {
		there := rooms[segment.String()]
		if concerns := len(volume.GetAccessibleTopology()) == 0 || messages.Within(volume.GetAccessibleTopology(), segment); concerns && there.Told && there.Available < bytes {
			return isFull
		}
	}
	return mayBeFull
}

// fullnessOfNode reports whether the case has attached as many volumes to the node as it may. Others may have attached
// more.
func fullnessOfNode(d *Driver, nodeID string) fullness {
	var attached int64
	for _, e := range d.ledger.All() {
		if strings.HasSuffix(e.What, " published to node "+nodeID) {
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

// mayHaveRoomAgain reports whether there may be room later for a call that was refused for lack of it. If capacity is
// not exact, deleted volumes may take a while to return their room, and other cases take room. It is worth waiting for
// as much room as the driver has reported before, unless the case itself has taken it.
func mayHaveRoomAgain(ctx context.Context, d *Driver, request any, err error) bool {
	if !needsRoom(request) || !isWithoutRoom(request, status.Code(err)) || attempt.IsOnce(ctx, status.Code(err)) || attempt.IsBreaking(ctx) {
		return false
	}
	if d.Room.Crowded || len(d.Room.Filled) > 0 || !d.Room.Measured() || d.Profile().Capacity.Exact() {
		return false
	}
	bytes := bytesOf(d, request)
	return !slices.ContainsFunc(d.Room.Usable, func(segment model.Segment) bool {
		most := d.Room.InRun.Most(segment)
		return most.Told && most.Largest < bytes
	})
}

// roomReturns waits until there is room again for a call that was refused for lack of it, and reports whether the call
// is worth repeating. If there is room already, the call is repeated once, provided that there may have been less when
// it was made.
func roomReturns(ctx context.Context, d *Driver, request any, once bool) bool {
	isThere := func() bool { return !isShort(ctx, d, request) }
	if isThere() {
		return once && mayHaveBeenShort(d, bytesOf(d, request))
	}
	return d.Settled(ctx, effect.RoomAgain, isThere)
}

// isWithoutRoom reports whether the answer to the request means that there is no room: RESOURCE_EXHAUSTED, or
// OUT_OF_RANGE for a growth. Attachments take none.
func isWithoutRoom(request any, code codes.Code) bool {
	switch request.(type) {
	case *csi.ControllerPublishVolumeRequest:
		return false
	case *csi.ControllerExpandVolumeRequest:
		return code == codes.ResourceExhausted || code == codes.OutOfRange
	default:
		return code == codes.ResourceExhausted
	}
}

// isShort reports whether the driver reports less room than the request takes, in a segment that it is for.
func isShort(ctx context.Context, d *Driver, request any) bool {
	rooms, err := d.Room.Read(ctx)
	return err == nil && slices.ContainsFunc(d.Room.Watched(), func(segment model.Segment) bool {
		there := rooms[segment.String()]
		return there.Told && there.Largest < bytesOf(d, request) && isFor(d, request, segment)
	})
}

// isFor reports whether the requested object may take room of the segment.
func isFor(d *Driver, request any, segment model.Segment) bool {
	var in []*csi.Topology
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		in = r.GetAccessibilityRequirements().GetRequisite()
	case *csi.CreateSnapshotRequest:
		in = d.Made.Volume(r.GetSourceVolumeId()).GetAccessibleTopology()
	case *csi.ControllerExpandVolumeRequest:
		in = d.Made.Volume(r.GetVolumeId()).GetAccessibleTopology()
	}
	return len(in) == 0 || messages.Within(in, segment)
}

// mayHaveBeenShort reports whether there may have been less than the given number of bytes, since the case began, in a
// segment that it uses: others use the back end too.
func mayHaveBeenShort(d *Driver, bytes int64) bool {
	return d.Room.Measured() && !d.Profile().Capacity.Exact() && slices.ContainsFunc(d.Room.Watched(), func(segment model.Segment) bool {
		least := d.Room.Least(segment)
		return least.Told && least.Largest < bytes
	})
}

// bytesOf returns the number of bytes that the request takes.
func bytesOf(d *Driver, request any) int64 {
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		return cmp.Or(r.GetCapacityRange().GetRequiredBytes(), d.Size())
	case *csi.CreateSnapshotRequest:
		return d.Made.Volume(r.GetSourceVolumeId()).GetCapacityBytes()
	case *csi.ControllerExpandVolumeRequest:
		return r.GetCapacityRange().GetRequiredBytes() - d.Made.Volume(r.GetVolumeId()).GetCapacityBytes()
	default:
		return 0
	}
}

// NeedRoomOfOthers skips the case if a call was refused for lack of room that other users, such as concurrent cases,
// may have had. It also does so if the driver does not report room.
func NeedRoomOfOthers(d *Driver, request any, err error) {
	if isWithoutRoom(request, status.Code(err)) && (!d.Room.Measured() || mayHaveBeenShort(d, bytesOf(d, request))) {
		suite.Skip(suite.ByEnvironment, "others may have been using the room when the call was refused: %s", describe.Status(err))
	}
}

// NeedRoomToGrow skips the case if a growth was refused for lack of room: with RESOURCE_EXHAUSTED, or with OUT_OF_RANGE
// if the driver reports less room than the growth takes, or other users may have had it.
func NeedRoomToGrow(ctx context.Context, d *Driver, request *csi.ControllerExpandVolumeRequest, err error) {
	full := func() bool {
		return mayHaveBeenShort(d, bytesOf(d, request)) || d.Room.Measured() && fullnessOfRequest(ctx, d, request) == isFull
	}
	if code := status.Code(err); code == codes.ResourceExhausted || code == codes.OutOfRange && full() {
		suite.Skip(suite.ByEnvironment, "there is no room for ControllerExpandVolume of %s: %s", describe.Range(request.GetCapacityRange()), describe.Status(err))
	}
}
