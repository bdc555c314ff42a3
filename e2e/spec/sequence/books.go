// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"fmt"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	rooms "github.com/csi-topo/csi-topo/e2e/spec/harness/room"
)

// roomClause is the clause that a wrong GetCapacity contradicts.
const roomClause = "CAP-07"

// comparesEverywhere is the number of steps until the room is compared in all places, and not only where the volumes of the
// step are. A shorter sequence that shows a failure compares it everywhere after each step.
const comparesEverywhere = 8

// checkRoom compares the reported available capacity with the room that volumes took and gave back, after calls that could
// change it. The room of snapshots, and of volumes that share blocks with them, is unknown: then the report of the driver
// counts.
func (s *sequence) checkRoom(ctx context.Context, o *outcome, calls []call) {
	if !s.room.counted {
		return
	}
	open := false
	for _, c := range calls {
		open = open || c.shares || c.snapshot != nil
		s.bookSnapshot(ctx, c.snapshot)
	}
	if !s.room.compared && !open {
		return
	}
	volumes := volumesOf(calls)
	everywhere := open || s.hasty || len(s.done)%comparesEverywhere == 0
	for _, p := range s.room.shown(volumes) {
		if !everywhere && !slices.ContainsFunc(volumes, func(v *volume) bool { return v.segments.Contains(p.segment) }) {
			continue
		}
		available, largest, err := s.availableIn(ctx, *p)
		switch {
		case err == nil && (open || available == p.available):
			p.available = available
			// The driver decides how large a volume may be if the available room is fragmented.
			s.room.told = s.room.told && (largest == 0 || largest == p.fits())
		case err != nil:
			o.miscounted(*p, "fails: "+err.Error())
		default:
			o.miscounted(*p, fmt.Sprintf("answers %d", available))
		}
	}
}

// shown returns the places that may show a difference: the requested places and, if the volumes are in others, these
// and all of a sample.
func (r *room) shown(volumes []*volume) []*place {
	var asked, sample []*place
	others := false
	for i := range r.places {
		p := &r.places[i]
		has := i >= asksFor && slices.ContainsFunc(volumes, func(v *volume) bool { return v.segments.Contains(p.segment) })
		if i < asksFor {
			asked = append(asked, p)
		}
		if i < rooms.Sample || has {
			sample = append(sample, p)
		}
		others = others || has
	}
	if others {
		return sample
	}
	return asked
}

// availableIn returns the reported room of the place, once the driver had time to report the expected value.
func (s *sequence) availableIn(ctx context.Context, p place) (available, largest int64, err error) {
	available, largest, err = capacityOf(attempt.Unrecorded(ctx), s.driver, p.segment)
	if err == nil && available != p.available && !s.hasty {
		s.driver.Settled(ctx, effect.Capacity, func() bool {
			available, largest, err = capacityOf(ctx, s.driver, p.segment)
			return err != nil || available == p.available
		})
	}
	return available, largest, err
}

// miscounted records a wrong report of GetCapacity.
func (o *outcome) miscounted(p place, instead string) {
	o.wrong(roomClause, "by what volumes have taken and given back, there are %d bytes available in %s, and GetCapacity %s", p.available, p.segment, instead)
}

// bookSnapshot books the room that the snapshot has taken or given back, if snapshots take room, which the first
// snapshot shows.
func (s *sequence) bookSnapshot(ctx context.Context, snap *snapshot) {
	if snap == nil || snap.exists == snap.booked || len(snap.segments) == 0 {
		return
	}
	bytes := snap.bytes
	if !snap.exists {
		bytes = -bytes
	}
	if s.learned.snapshots == unknown {
		s.learned.snapshots = s.learnSnapshots(ctx, snap)
	}
	if s.learned.snapshots == takeRoom {
		s.room.take(snap.segments, bytes)
	}
	snap.booked = snap.exists
}

// learnSnapshots finds out whether the first snapshot has taken room. The driver may need time to show that.
func (s *sequence) learnSnapshots(ctx context.Context, snap *snapshot) snapshotBooks {
	taken := func() bool {
		for _, p := range s.room.places {
			if snap.segments.Contains(p.segment) {
				available, _, err := capacityOf(ctx, s.driver, p.segment)
				return err == nil && available == p.available-snap.bytes
			}
		}
		return false
	}
	if s.driver.Settled(ctx, effect.SnapshotRoom, taken) {
		return takeRoom
	}
	return takeNone
}
