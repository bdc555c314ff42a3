// SPDX-License-Identifier: Apache-2.0

// Package room tracks the room that a driver reports in its topology segments, and the part of it that a case has taken.
package room

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

// Sample is the number of segments that are enough for checks that hardly depend on the segment: cases use four, and a
// generated one five.
const Sample = 8

// Space is the room that the driver reports in a segment. The zero Space belongs to a driver that reports none.
type Space struct {
	Told bool
	// Largest is the size in bytes of the largest possible volume, and Available the sum for all volumes together.
	Largest, Available int64
}

func spaceOf(response *csi.GetCapacityResponse) Space {
	space := Space{Told: true, Largest: response.GetAvailableCapacity(), Available: response.GetAvailableCapacity()}
	if most := response.GetMaximumVolumeSize(); most != nil {
		space.Largest = min(space.Largest, most.GetValue())
	}
	return space
}

// Rooms holds the driver's segments, and the known room in each.
type Rooms struct {
	Controller csi.ControllerClient
	Profile    profile.Profile
	// Capabilities are the capabilities of the volumes that the room is for.
	Capabilities []*csi.VolumeCapability
	// Tells reports that the driver claims GET_CAPACITY, Constrained that its volumes are not accessible from
	// everywhere, and Hooked that something other than volumes can take the room of a segment away.
	Tells, Constrained, Hooked bool
	// Segments holds all known segments, Usable the segments that have all the kinds of volume that the case makes, and
	// Filled the segments that the case has filled.
	Segments, Usable, Filled model.Set
	// Crowded reports that the case expects to be refused for lack of room now and then, and does not wait for room.
	Crowded bool
	// Before is the room that the driver reported for each segment when the case began.
	Before map[string]Space
	// InRun holds the reports since the run began, and InCase the reports since the case began.
	InRun, InCase *Seen
	// Books are the books of the run. The case counts the bytes that are taken from its beginning to its End.
	Books *Books
	count *count
	// World holds the driver's segments and the known room in each: the room that was reported before the case made its
	// volumes, or less if the case has filled a segment, or if less was reported after a refused call.
	World model.World
}

// Watch begins a case: reported and taken room counts from now on.
func (r *Rooms) Watch() {
	r.End()
	r.InCase, r.count = &Seen{}, r.Books.begin(r.Watched())
}

// Begin records the rooms before the case. If the profile does not list segments, there may be more than the node endpoints
// report.
func (r *Rooms) Begin(rooms map[string]Space) {
	r.Before, r.World = rooms, model.World{Open: r.Constrained && len(r.Profile.Segments) == 0}
	for _, segment := range r.Segments {
		there := model.Room{} // a kind of volume may not exist while there is room for another
		if told, is := rooms[segment.String()]; is && r.Usable.Contains(segment) {
			there = r.As(told)
		}
		r.World.Places = append(r.World.Places, model.Place{Segment: segment, Room: there})
	}
}

// End ends the count of the case.
func (r *Rooms) End() {
	if r.count != nil {
		r.Books.end(r.count)
	}
}

// Least returns the least room that there may have been in the segment since the case began: the least reported room, and
// the room reported at the beginning minus the room that the run has taken since.
func (r *Rooms) Least(segment model.Segment) Space {
	least := r.InCase.Least(segment)
	if before := r.Before[segment.String()]; before.Told && r.count != nil {
		left := max(0, before.Available-r.Books.taken(r.count, segment))
		least.Available, least.Largest = min(least.Available, left), min(least.Largest, left)
	}
	return least
}

// Available returns the number of bytes that were available in the segment before the case made its volumes, if the driver
// reports it.
func (r *Rooms) Available(segment model.Segment) (bytes int64, told bool) {
	there := r.Before[segment.String()]
	return there.Available, there.Told
}

// Measured reports whether the room in segments can be known.
func (r *Rooms) Measured() bool {
	return r.Tells && !r.Profile.Capacity.Untracked()
}

// As converts the room to the type of the oracle. Only capacity that the profile calls exact shows that there is no room.
func (r *Rooms) As(there Space) model.Room {
	switch {
	case !there.Told:
		return model.Room{}
	case r.Profile.Capacity.Exact():
		return model.Exactly(there.Largest)
	default:
		return model.AtLeast(there.Largest)
	}
}

// Watched returns the segments whose capacity is watched: all of them, or the nil segment for a driver without topology. If
// there are many, it is a sample, because nearly every case reads their capacity several times.
func (r *Rooms) Watched() model.Set {
	switch {
	case len(r.Segments) == 0:
		return model.Set{nil}
	case len(r.Segments) > Sample:
		return r.Usable[:min(Sample, len(r.Usable))]
	default:
		return r.Segments
	}
}
