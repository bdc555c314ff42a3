// SPDX-License-Identifier: Apache-2.0

// Package fill takes the room of topology segments away.
package fill

import (
	"context"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Segments fills the segments until a volume of the case's size is refused there: with the profile's hook if it has one,
// else with as few volumes as the driver allows. It measures the room of the other segments again, because they may share
// it. The room is given back after the case.
func Segments(ctx context.Context, d *harness.Driver, segments ...model.Segment) {
	for _, segment := range segments {
		if d.Target.Exhaust != nil {
			exhaust(ctx, d, segment)
		} else {
			fill(ctx, d, segment)
		}
		d.Room.Filled = append(d.Room.Filled, segment)
		d.Room.World = d.Room.World.With(segment, model.NoneFor(d.Size()))
	}
	d.Room.NoteTaken(ctx, d.Size())
}

func exhaust(ctx context.Context, d *harness.Driver, segment model.Segment) {
	hook := d.Target.Exhaust
	harness.UndoLater(d, "exhaustion of "+segment.String(), func(ctx context.Context) error {
		return hook.GiveBack(ctx, segment)
	})
	d.Held.Changed.Add(1)
	if err := hook.Exhaust(ctx, segment); err != nil {
		suite.CouldNotTell("the profile's exhaust.command was to take the room of %s away, and failed: %v", segment, err)
	}
	if made := fillBy(ctx, d, segment, d.Size()); made > 0 {
		suite.CouldNotTell("the profile's exhaust.command was to take the room of %s away, and a volume of %d bytes can still be made there", segment, made)
	}
}

// fill makes volumes in the segment until a volume of the case's size is refused. The room that the driver reports
// decides how large they are, and not when the segment is full.
func fill(ctx context.Context, d *harness.Driver, segment model.Segment) {
	before := d.Room.In(ctx, segment)
	limit := d.Profile().Filling()
	if before.Told && limit.Bytes > 0 && before.Available > limit.Bytes {
		suite.Skip(suite.ByProfile, "%s has %d bytes available, and the profile lets %d bytes be filled at most (fill.bytes)", segment, before.Available, limit.Bytes)
	}
	for i := range limit.Volumes {
		largest := d.Room.In(ctx, segment).Largest / d.Size() * d.Size()
		made := fillBy(ctx, d, segment, max(largest, d.Size()))
		if made == 0 {
			return
		}
		less := func() bool { return d.Room.In(ctx, segment).Available < before.Available }
		if exact := d.Profile().Capacity.Exact(); i == 0 && before.Told && !exact && !d.Settled(ctx, effect.Room, less) {
			suite.Skip(suite.ByEnvironment, "a volume of %d bytes takes nothing of the capacity of %s, so that volumes cannot fill it", made, segment)
		}
	}
	suite.Skip(suite.ByProfile, "%s still has room after the %d volumes that may be made to fill it (fill.volumes)", segment, limit.Volumes)
}

// fillBy makes one volume of that size in the segment, halves the size as long as it is refused, and returns the size of the
// volume. It is 0 if even a volume of the case's size is refused.
func fillBy(ctx context.Context, d *harness.Driver, segment model.Segment, size int64) (made int64) {
	for {
		asked := d.Volume(1).Within(segment).OfBytes(size)
		request := d.CreateVolumeRequest(asked)
		response, err := d.Controller.CreateVolume(oncePlausible(ctx, d, segment, size), request)
		if !d.Profile().Capacity.Exact() || !attempt.AsksAgain(err) { // else the driver's reports show whether it is full
			attempt.MustBeAnswered(err)
		}
		answer := creation.AnswerOf(request, response, err)
		tooLarge := answer.Code == codes.ResourceExhausted || answer.Code == codes.OutOfRange
		switch {
		case answer.Code == codes.OK:
			// The answer shows that there is room; it is still judged by its topology.
			creation.ExpectAllowed(ctx, answer, model.AnswersTo(asked, d.Room.World.With(segment, model.Room{})))
			d.Room.World = d.Room.World.Seeing(answer.Segments)
			return size
		case tooLarge && size > d.Size():
			size = max(size/2/d.Size()*d.Size(), d.Size())
		case answer.Code == codes.ResourceExhausted || toldFull(ctx, d, segment):
			return 0
		default:
			suite.CouldNotTell("%s was to be filled, and a volume of %d bytes there is refused for another reason than lack of room: %s", segment, size, answer)
		}
	}
}

// oncePlausible returns the context of a volume that takes room. A volume larger than the case's size may be refused
// because the room is fragmented, and any volume if the driver reports too little room: such a refusal is not repeated.
func oncePlausible(ctx context.Context, d *harness.Driver, segment model.Segment, size int64) context.Context {
	if size > d.Size() || toldFull(ctx, d, segment) {
		ctx = attempt.Once(ctx, codes.ResourceExhausted)
	}
	return attempt.Tolerant(ctx)
}

// toldFull reports whether the driver reports that there is no room for a volume of the case's size in the segment.
func toldFull(ctx context.Context, d *harness.Driver, segment model.Segment) bool {
	there := d.Room.In(ctx, segment)
	return there.Told && there.Largest < d.Size()
}

// ByVolumes reports whether volumes may take the room of segments away. If the profile has a hook for that, the hook
// does it instead.
func ByVolumes(d *harness.Driver) bool {
	return d.Room.Measured() && d.Target.Exhaust == nil
}

// AllButTwo fills the segment until about two volumes fit. It returns the number of bytes that are left, and the size of one
// volume, which is larger than requested if the driver rounds sizes up.
func AllButTwo(ctx context.Context, d *harness.Driver, segment model.Segment) (room, each int64) {
	each = max(d.Size(), creation.Create(ctx, d, d.Volume(1).Within(segment)).Volume.GetCapacityBytes())
	return AllBut(ctx, d, 2*each, segment), each
}

// AllBut fills the segment with volumes until at most the given number of bytes is left, and returns the number that is
// left. It is less than requested if the driver rounds sizes up. A case that uses it needs ExactCapacity, and room for two
// volumes of its size in addition to the bytes to be left. The room is given back after the case.
func AllBut(ctx context.Context, d *harness.Driver, left int64, segment model.Segment) int64 {
	for range d.Profile().Filling().Volumes {
		now := d.Room.In(ctx, segment)
		if now.Available <= left {
			d.Room.World = d.Room.World.With(segment, d.Room.As(now))
			return now.Available
		}
		if made := fillBy(ctx, d, segment, min(now.Largest, now.Available-left)); made == 0 {
			suite.CouldNotTell("%s was to be filled except for %d bytes, and refuses volumes though it has %d bytes available", segment, left, now.Available)
		}
	}
	suite.CouldNotTell("%s was to be filled except for %d bytes, and still has more room after many volumes", segment, left)
	return 0
}
