// SPDX-License-Identifier: Apache-2.0

package room

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// NoteTaken updates the World with the room that is left in the segments that the case has not filled, for volumes of the
// given size.
func (r *Rooms) NoteTaken(ctx context.Context, size int64) {
	var also model.Set
	for segment, now := range r.unfilled(ctx) {
		before := r.Before[segment.String()]
		if before.Told && before.Largest >= size && now.Largest < size {
			also = append(also, segment)
		}
		r.World = r.World.With(segment, r.As(now))
	}
	if len(also) > 0 {
		suite.Reduced(ctx, "filling %s took the room of %s too", r.Filled, also)
	}
}

// NoteLess updates the World with the room that other users, including concurrent cases, may have had in the meantime,
// even if they have given it back since.
func (r *Rooms) NoteLess(ctx context.Context) {
	for segment := range r.unfilled(ctx) {
		if least := r.Least(segment); least.Told && least.Largest < r.Before[segment.String()].Largest {
			r.World = r.World.With(segment, r.As(least))
		}
	}
}

// NoteFreed marks the room in the segments of a volume as unknown: if others use the back end, a full segment may have room
// again, as the answer shows.
func (r *Rooms) NoteFreed(of model.Set) {
	if r.Profile.Exclusive {
		return
	}
	for _, place := range r.World.Places {
		for _, topology := range of {
			if place.Segment.Matches(topology) {
				r.World = r.World.With(place.Segment, model.Room{})
			}
		}
	}
}
