// SPDX-License-Identifier: Apache-2.0

// Package holdings reads the volumes, snapshots and room of a driver, and describes how they differ from before.
package holdings

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sync/errgroup"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/inventory"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/pages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/room"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// State holds the driver's volumes and snapshots, if it claims to list them, and the room of each segment, if it claims to
// report it. Values that are nil or missing were not reported.
type State struct {
	Volumes   map[string]bool
	Snapshots map[string]bool
	Rooms     map[string]room.Space
	// kept holds the volumes and snapshots that the case had made when the state was read: a list may show them later.
	kept map[string]bool
	// changes is the driver's count of changes when the state was read.
	changes int64
}

// Reader reads the state of the driver for one case.
type Reader struct {
	Controller csi.ControllerClient
	Profile    profile.Profile
	Rooms      *room.Rooms
	Made       *inventory.Made
	// ListsVolumes and ListsSnapshots report that the driver claims to list them.
	ListsVolumes, ListsSnapshots bool
	// Patience and Settle limit how long to wait for an effect that the driver should show.
	Patience *effect.Patience
	Settle   time.Duration
	// Lingers is set once a case has reported that deleted objects are still listed.
	Lingers *atomic.Bool
	// Pages reads the lists. Many is set once a list had more objects of other users than are worth keeping: then only
	// the objects that the case made count.
	Pages *pages.Reader
	Many  *atomic.Bool
	// Changed counts the calls that may have changed the driver's state.
	Changed atomic.Int64

	last *State // that was read
}

// must returns the state, and panics without one: there is nothing to judge then.
func (r *Reader) must(ctx context.Context) State {
	s, err := r.read(ctx)
	attempt.MustBeAnswered(err)
	if err != nil {
		suite.CouldNotTell("the driver's volumes and capacity, which the case needs to know, could not be read: %v", err)
	}
	return s
}

// current returns the state that was read last if the case has changed nothing since, and reads it otherwise.
func (r *Reader) current(ctx context.Context) State {
	if r.last != nil && r.last.changes == r.Changed.Load() {
		return *r.last
	}
	return r.must(ctx)
}

// changedSince describes the changes in the driver since before, once it has had time to settle.
func (r *Reader) changedSince(ctx context.Context, before State) []string {
	return r.changed(ctx, before, r.ofTheCase())
}

// LeakedSince is like changedSince, for leaks of a case. It reports once in a run that deleted objects are still listed.
func (r *Reader) LeakedSince(ctx context.Context, before State) []string {
	counts := r.ofTheCase()
	if r.Lingers.Load() && !r.Profile.Exclusive {
		counts.listed = r.Made.Keeps
	}
	leaked := r.changed(ctx, before, counts)
	r.Lingers.CompareAndSwap(false, len(leaked) > 0)
	return leaked
}

func (r *Reader) changed(ctx context.Context, before State, counts counted) []string {
	var changes []string
	var unread error
	settled := func() bool {
		var now State
		if now, unread = r.read(ctx); unread != nil {
			return true
		}
		changes = now.differences(before, counts)
		return len(changes) == 0
	}
	r.Patience.Settled(ctx, r.Settle, effect.NothingNew, settled)
	if unread != nil {
		suite.CouldNotTell("the driver's volumes and capacity, which show what was left behind, could not be read: %v", unread)
	}
	return changes
}

// counted decides which ids count if they are newly listed, and which if they are no longer listed.
type counted struct {
	listed, missing func(id string) bool
}

// ofTheCase counts only changes by the case. Others use the back end too, unless the profile says that the run has it to
// itself.
func (r *Reader) ofTheCase() counted {
	if r.Profile.Exclusive {
		all := func(string) bool { return true }
		return counted{all, all}
	}
	return counted{r.Made.Has, r.Made.Keeps}
}

// read reads the state of the driver, with concurrent calls for its parts. Capacity that the profile does not call exact is
// not watched: others use it too. If the driver refuses to report something, that is not watched either: the cases about
// those calls judge it.
func (r *Reader) read(ctx context.Context) (State, error) {
	s := State{changes: r.Changed.Load(), kept: r.Made.Kept()}
	calls, ctx := errgroup.WithContext(attempt.Tolerant(ctx))
	if r.ListsVolumes {
		calls.Go(func() (err error) {
			s.Volumes, err = told(r.worthKeeping(ctx, r.ListVolumes))
			return err
		})
	}
	if r.ListsSnapshots {
		calls.Go(func() (err error) {
			s.Snapshots, err = told(r.worthKeeping(ctx, r.ListSnapshots))
			return err
		})
	}
	if r.Profile.Capacity.Exact() {
		calls.Go(func() (err error) {
			s.Rooms, err = r.Rooms.Read(ctx)
			return err
		})
	}
	if err := calls.Wait(); err != nil {
		return State{}, err
	}
	r.last = &s
	return s, nil
}

// Forget forgets the state that was read last.
func (r *Reader) Forget() { r.last = nil }

// worthKeeping returns a list without the objects of other users if there are many and they do not count. For a case that
// has made nothing, it does not even read the list.
func (r *Reader) worthKeeping(ctx context.Context, list func(context.Context) (map[string]bool, error)) (map[string]bool, error) {
	const many = 1000
	if r.Many.Load() && !r.Made.Any() {
		return map[string]bool{}, nil
	}
	ids, err := list(ctx)
	if r.Profile.Exclusive || len(ids) <= many {
		return ids, err
	}
	r.Many.Store(true)
	made := map[string]bool{} // a new map: deleted entries of a map still take its memory
	for id := range ids {
		if r.Made.Has(id) {
			made[id] = true
		}
	}
	return made, err
}

// told returns a list, or nil if the driver refuses to return it, or the error of a call without an answer.
func told(ids map[string]bool, err error) (map[string]bool, error) {
	switch {
	case statuses.Unanswered(err) && !attempt.IsAnswer(err):
		return nil, err
	case err != nil:
		return nil, nil //nolint:nilnil // a refusal is an answer, of which nothing follows
	default:
		return ids, nil
	}
}

// ListVolumes lists the ids of all volumes.
func (r *Reader) ListVolumes(ctx context.Context) (ids map[string]bool, err error) {
	ids = map[string]bool{}
	err = r.Pages.Survey(ctx, "ListVolumes", func(ctx context.Context, token string) (next string, err error) {
		response, err := r.Controller.ListVolumes(ctx, &csi.ListVolumesRequest{StartingToken: token})
		for _, entry := range response.GetEntries() {
			ids[entry.GetVolume().GetVolumeId()] = true
		}
		return response.GetNextToken(), err
	})
	return ids, err
}

// ListSnapshots lists the ids of all snapshots.
func (r *Reader) ListSnapshots(ctx context.Context) (ids map[string]bool, err error) {
	ids = map[string]bool{}
	err = r.Pages.Survey(ctx, "ListSnapshots", func(ctx context.Context, token string) (next string, err error) {
		response, err := r.Controller.ListSnapshots(ctx, &csi.ListSnapshotsRequest{StartingToken: token, Secrets: r.Profile.Secrets.ListSnapshots})
		for _, entry := range response.GetEntries() {
			ids[entry.GetSnapshot().GetSnapshotId()] = true
		}
		return response.GetNextToken(), err
	})
	return ids, err
}

// differences describes in sentences how the state differs from before, as far as the ids count.
func (s State) differences(before State, counts counted) []string {
	var found []string
	newcomers := counted{func(id string) bool { return !before.kept[id] && counts.listed(id) }, counts.missing}
	found = append(found, listed("volume", s.Volumes, before.Volumes, newcomers)...)
	found = append(found, listed("snapshot", s.Snapshots, before.Snapshots, newcomers)...)
	for _, segment := range slices.Sorted(maps.Keys(s.Rooms)) {
		now := s.Rooms[segment].Available
		if then, told := before.Rooms[segment]; told && now != then.Available {
			found = append(found, fmt.Sprintf("%s has %d bytes available, and had %d", segment, now, then.Available))
		}
	}
	return found
}

// listed describes which ids are newly listed, and which are no longer listed.
func listed(kind string, now, before map[string]bool, counts counted) []string {
	if now == nil || before == nil {
		return nil
	}
	var found []string
	for _, id := range slices.Sorted(maps.Keys(now)) {
		if !before[id] && counts.listed(id) {
			found = append(found, fmt.Sprintf("%s %s is listed, and was not", kind, id))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(before)) {
		if !now[id] && counts.missing(id) {
			found = append(found, fmt.Sprintf("%s %s is not listed any more", kind, id))
		}
	}
	return found
}

// Survey reads the driver's state and the room in its segments. The room is taken from the state if capacity is
// watched.
func (r *Reader) Survey(ctx context.Context) (State, map[string]room.Space, error) {
	before, err := r.read(ctx)
	if err != nil || r.Profile.Capacity.Exact() {
		return before, before.Rooms, err
	}
	rooms, err := r.Rooms.Read(ctx)
	return before, rooms, err
}
