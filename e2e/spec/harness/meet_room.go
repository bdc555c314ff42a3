// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/room"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// meetRoom skips the case if there is no room for its volumes in the first segments, which are the ones that it uses. If the
// driver has reported enough room before, meetRoom waits for it: other cases have it, or deleted volumes have not returned
// it yet. If the driver does not report room, or creates volumes where it reports none, meetRoom does nothing.
func (s *Suite) meetRoom(ctx context.Context, d *Driver) {
	lacking := func() (segment model.Segment, why string) {
		for _, segment := range d.Zones(d.demand.segments) {
			if why := lacks(d, segment, d.Room.Before[segment.String()]); why != "" && !s.belies(segment) {
				return segment, why
			}
		}
		return nil, ""
	}
	segment, why := lacking()
	if why != "" && lacks(d, segment, d.Room.InRun.Most(segment)) == "" {
		suite.Waiting(ctx, func() {
			s.health.Line.Lock()
			defer s.health.Line.Unlock()
			d.Settled(ctx, effect.RoomAgain, func() bool {
				d.Room.Watch()
				if rooms, err := d.Room.Read(ctx); err == nil {
					d.Room.Begin(rooms)
				}
				segment, why = lacking()
				return why == ""
			})
		})
	}
	for why != "" && s.createsAnyway(ctx, d, segment) {
		segment, why = lacking()
	}
	if why != "" {
		suite.Skip(suite.ByEnvironment, "%s", why)
	}
	for _, segment := range d.Room.Usable {
		if s.belies(segment) {
			d.Room.World = d.Room.World.With(segment, model.Room{})
		}
	}
}

// lacks explains in a sentence why there is no room in the segment for the case's volumes. It is empty if there is
// room, or if the driver does not report it.
func lacks(d *Driver, segment model.Segment, there room.Space) string {
	need := int64(d.demand.volumes) * d.Size()
	switch {
	case !there.Told || need == 0:
		return ""
	case there.Available < need:
		return fmt.Sprintf("%s has room for %d bytes, and the case needs %d", segment, there.Available, need)
	case there.Largest < d.Size():
		return fmt.Sprintf("%s has room for volumes of %d bytes, and the case needs %d for each", segment, there.Largest, d.Size())
	default:
		return ""
	}
}

// belies reports whether the driver has created a volume in a segment for which it reported no room.
func (s *Suite) belies(segment model.Segment) bool {
	s.believing.Lock()
	defer s.believing.Unlock()
	return s.believed[segment.String()] == belied
}

// belief is the result of creating a volume in a segment for which a driver reports no room.
type belief int

const (
	untried belief = iota
	belied
	refused
)

// createsAnyway reports whether the driver creates a volume of the case's size in the segment though it reports no room
// for one, before and after. It tries that once in a run: if it does, the reports say nothing about whether cases can
// be run.
func (s *Suite) createsAnyway(ctx context.Context, d *Driver, segment model.Segment) bool {
	full := func() bool {
		there := d.Room.In(ctx, segment)
		return there.Told && there.Largest < d.Size()
	}
	s.believing.Lock()
	defer s.believing.Unlock()
	if s.believed[segment.String()] != untried || !d.Room.Makes(1, segment) || !full() {
		return false
	}
	if s.believed == nil {
		s.believed = map[string]belief{}
	}
	s.believed[segment.String()] = refused
	_, err := d.Controller.CreateVolume(attempt.Tolerant(attempt.Once(ctx, codes.ResourceExhausted)), d.CreateVolumeRequest(d.Volume(1).Within(segment)))
	created := status.Code(err) == codes.OK && full()
	if left := d.StartOver(ctx); left != nil {
		leave(ctx, d, left)
	}
	if created && full() {
		s.believed[segment.String()] = belied
	}
	return s.believed[segment.String()] == belied
}
