// SPDX-License-Identifier: Apache-2.0

// Package room knows what a driver tells of the room in its topology segments, and what a case has taken of it.
package room

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

// Space is what the driver tells of the room in a segment. The zero Space is that of a driver that does not tell.
type Space struct {
	Told bool
	// Largest is how many bytes one volume can have, and Available how many all volumes together can have.
	Largest, Available int64
}

func spaceOf(response *csi.GetCapacityResponse) Space {
	space := Space{Told: true, Largest: response.GetAvailableCapacity(), Available: response.GetAvailableCapacity()}
	if most := response.GetMaximumVolumeSize(); most != nil {
		space.Largest = min(space.Largest, most.GetValue())
	}
	return space
}

// Rooms are the driver's segments, with what is known of the room in each.
type Rooms struct {
	Controller csi.ControllerClient
	Profile    profile.Profile
	// Capabilities are those of the volumes that the room is asked for.
	Capabilities []*csi.VolumeCapability
	// Tells says that the driver claims GET_CAPACITY, Constrained that its volumes are not accessible from everywhere, and
	// Hooked that something else than volumes can take the room of a segment away.
	Tells, Constrained, Hooked bool
	// Segments are all that are known, Usable those that have all the kinds of volume which the case makes, and Filled those
	// that the case has filled.
	Segments, Usable, Filled model.Set
	// Crowded says that the case is there to be refused for want of room now and then, and waits for none.
	Crowded bool
	// Before is what the driver told of each segment when the case began.
	Before map[string]Space
	// InRun is what was told since the run began, and InCase what was told since the case did.
	InRun, InCase *Seen
	// Books are those of the run, of which the case counts what is taken from its beginning to its End.
	Books *Books
	count *count
	// World is the driver's segments and what is known of the room in each: what was told before the case made its volumes,
	// less where the case has filled a segment, or where less was told after a call that was refused.
	World model.World
}

// Watch begins a case: what is told of the room, and taken of it, counts from now on.
func (r *Rooms) Watch() {
	r.End()
	r.InCase, r.count = &Seen{}, r.Books.begin(r.Watched())
}

// Begin takes the rooms for those before the case. Where the profile does not list segments, there may be others
// than those that the node endpoints report.
func (r *Rooms) Begin(rooms map[string]Space) {
	r.Before, r.World = rooms, model.World{Open: r.Constrained && len(r.Profile.Segments) == 0}
	for _, segment := range r.Segments {
		there := model.Room{} // where a kind of volume does not exist, there may be room for another
		if r.Usable.Contains(segment) {
			there = r.As(rooms[segment.String()])
		}
		r.World = r.World.With(segment, there)
	}
}

// End says that the case has ended.
func (r *Rooms) End() {
	if r.count != nil {
		r.Books.end(r.count)
	}
}

// Least is the least room that there may have been in the segment since the case began: what was told, and what was told then
// less what the run has taken since.
func (r *Rooms) Least(segment model.Segment) Space {
	least := r.InCase.Least(segment)
	if before := r.Before[segment.String()]; before.Told && r.count != nil {
		left := max(0, before.Available-r.Books.taken(r.count, segment))
		least.Available, least.Largest = min(least.Available, left), min(least.Largest, left)
	}
	return least
}

// Available is how many bytes volumes could have in the segment altogether before the case made its own, if the driver
// tells.
func (r *Rooms) Available(segment model.Segment) (bytes int64, told bool) {
	there := r.Before[segment.String()]
	return there.Available, there.Told
}

// Measured reports whether the room in segments can be known.
func (r *Rooms) Measured() bool {
	return r.Tells && !r.Profile.Capacity.Untracked()
}

// As is the room as the oracle has it. Only capacity that the profile calls exact says what there is no room for.
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

// Watched are the segments whose capacity is watched: all of them, or the nil one for a driver without topology.
func (r *Rooms) Watched() model.Set {
	if len(r.Segments) == 0 {
		return model.Set{nil}
	}
	return r.Segments
}
