// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Fill takes the room of the segments away, until a volume of the case's size is refused there: by the profile's hook if
// it has one, else by as few volumes as the driver lets it. The room of the other segments is asked for again, as they
// may share it. The room is given back after the case.
func (d *Driver) Fill(ctx context.Context, segments ...model.Segment) {
	for _, segment := range segments {
		if d.target.Exhaust != nil {
			d.exhaust(ctx, segment)
		} else {
			d.fill(ctx, segment)
		}
		d.filled = append(d.filled, segment)
		d.world = d.world.With(segment, model.NoneFor(d.Size()))
	}
	d.noteRooms(ctx)
}

func (d *Driver) exhaust(ctx context.Context, segment model.Segment) {
	hook := d.target.Exhaust
	d.ledger.enter("exhaustion of "+segment.String(), func(ctx context.Context) error {
		return hook.GiveBack(ctx, segment)
	})
	d.changes.Add(1)
	if err := hook.Exhaust(ctx, segment); err != nil {
		suite.CouldNotTell("the profile's hook was to exhaust %s, and failed: %v", segment, err)
	}
	if made := d.fillBy(ctx, segment, d.Size()); made > 0 {
		suite.CouldNotTell("the profile's hook was to exhaust %s, and a volume of %d bytes can still be made there", segment, made)
	}
}

// fill makes volumes in the segment until one of the case's size is refused. What the driver tells of the room says how
// large they are, and not when it is full.
func (d *Driver) fill(ctx context.Context, segment model.Segment) {
	before := d.room(ctx, segment)
	limit := d.Profile().Filling()
	if before.told && limit.Bytes > 0 && before.available > limit.Bytes {
		suite.Skip(suite.ByProfile, "%s has %d bytes available, and the profile lets %d bytes be filled at most (fill.bytes)", segment, before.available, limit.Bytes)
	}
	for i := range limit.Volumes {
		largest := d.room(ctx, segment).largest / d.Size() * d.Size()
		made := d.fillBy(ctx, segment, max(largest, d.Size()))
		if made == 0 {
			return
		}
		less := func() bool { return d.room(ctx, segment).available < before.available }
		if exact := d.Profile().Capacity.Exact(); i == 0 && before.told && !exact && !d.Settled(ctx, ShownRoom, less) {
			suite.Skip(suite.ByEnvironment, "a volume of %d bytes takes nothing of the capacity of %s, so that volumes cannot fill it", made, segment)
		}
	}
	suite.Skip(suite.ByProfile, "%s still has room after the %d volumes that may be made to fill it (fill.volumes)", segment, limit.Volumes)
}

// fillBy makes one volume of that size in the segment, or of half of it and so on where that is refused, and returns its
// size. It is 0 where even a volume of the case's size is refused.
func (d *Driver) fillBy(ctx context.Context, segment model.Segment, size int64) (made int64) {
	for {
		asked := d.Volume(1).Within(segment).OfBytes(size)
		request := d.CreateVolumeRequest(asked)
		response, err := d.Controller.CreateVolume(d.oncePlausible(ctx, segment, size), request)
		if !d.Profile().Capacity.Exact() || !asksAgain(err) { // else what the driver tells says whether it is full
			mustBeAnswered(err)
		}
		answer := AnswerOf(request, response, err)
		tooLarge := answer.Code == codes.ResourceExhausted || answer.Code == codes.OutOfRange
		switch {
		case answer.Code == codes.OK:
			// That there is room is what it shows; that it is there is for it to answer.
			ExpectAllowed(ctx, answer, model.AnswersTo(asked, d.World().With(segment, model.Room{})))
			d.world = d.world.Seeing(answer.Segments)
			return size
		case tooLarge && size > d.Size():
			size = max(size/2/d.Size()*d.Size(), d.Size())
		case answer.Code == codes.ResourceExhausted || d.toldFull(ctx, segment):
			return 0
		default:
			suite.CouldNotTell("%s was to be filled, and a volume of %d bytes there is refused otherwise than for want of room: %s", segment, size, answer)
		}
	}
}

// oncePlausible returns the context of a volume that takes room. One larger than the case's size may be refused because the
// room is in pieces, and any where the driver tells that there is too little room: such a refusal is not asked for again.
func (d *Driver) oncePlausible(ctx context.Context, segment model.Segment, size int64) context.Context {
	if size > d.Size() || d.toldFull(ctx, segment) {
		ctx = Once(ctx, codes.ResourceExhausted)
	}
	return Tolerant(ctx)
}

// toldFull reports whether the driver tells that there is no room for a volume of the case's size in the segment.
func (d *Driver) toldFull(ctx context.Context, segment model.Segment) bool {
	there := d.room(ctx, segment)
	return there.told && there.largest < d.Size()
}

// noteRooms has the world know what is left in the segments that the case has not filled.
func (d *Driver) noteRooms(ctx context.Context) {
	var also model.Set
	for segment, now := range d.roomsNow(ctx) {
		before := d.rooms[segment.String()]
		if before.told && before.largest >= d.Size() && now.largest < d.Size() {
			also = append(also, segment)
		}
		d.world = d.world.With(segment, d.roomIn(now))
	}
	if len(also) > 0 {
		suite.Reduced(ctx, "filling %s took the room of %s too", d.filled, also)
	}
}

// noteLess has the world know what others may have taken of the room in the meantime.
func (d *Driver) noteLess(ctx context.Context) {
	for segment, now := range d.roomsNow(ctx) {
		if before := d.rooms[segment.String()]; now.largest < before.largest {
			d.world = d.world.With(segment, d.roomIn(now))
		}
	}
}

// noteFreed takes the segments of a volume for ones whose room is not known: where others use the back end, the answer
// itself shows that a segment which was full has room again.
func (d *Driver) noteFreed(answer Answer) {
	if d.Profile().Exclusive {
		return
	}
	for _, place := range d.world.Places {
		for _, topology := range answer.Segments {
			if place.Segment.Matches(topology) {
				d.world = d.world.With(place.Segment, model.Room{})
			}
		}
	}
}

// FilledByVolumes reports whether volumes may take the room of segments away: where the profile has a hook for that, they
// had better not.
func (d *Driver) FilledByVolumes() bool {
	return d.measured() && d.target.Exhaust == nil
}
