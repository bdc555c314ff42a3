// SPDX-License-Identifier: Apache-2.0

// Package holdings reads what a driver holds, and says how that differs from before.
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

// State is what the driver shows of what it holds: its volumes and snapshots, where it claims to list them, and the room
// of each segment, where it claims to tell. What is nil or missing was not told.
type State struct {
	Volumes   map[string]bool
	Snapshots map[string]bool
	Rooms     map[string]room.Space
	// kept are the volumes and snapshots that the case had made when the state was read: a list may show them later.
	kept map[string]bool
	// changes is the driver's count of changes when the state was read.
	changes int64
}

// Reader reads what the driver holds, for one case.
type Reader struct {
	Controller csi.ControllerClient
	Profile    profile.Profile
	Rooms      *room.Rooms
	Made       *inventory.Made
	// ListsVolumes and ListsSnapshots say that the driver claims to list them.
	ListsVolumes, ListsSnapshots bool
	// Patience and Settle say how long to wait for what the driver should show.
	Patience *effect.Patience
	Settle   time.Duration
	// Lingers is set once it was said that what is deleted is still listed.
	Lingers *atomic.Bool
	// Pages reads the lists. Many is set once one had more of others than is worth keeping: only what the case made counts then.
	Pages *pages.Reader
	Many  *atomic.Bool
	// Changed counts what may have changed the driver's state.
	Changed atomic.Int64

	last *State // that was read
}

// must reads the state; without it there is nothing to judge.
func (r *Reader) must(ctx context.Context) State {
	s, err := r.read(ctx)
	attempt.MustBeAnswered(err)
	if err != nil {
		suite.CouldNotTell("the driver's volumes and capacity, which the case needs to know, could not be read: %v", err)
	}
	return s
}

// current is the state that was read last, if the case has changed nothing since; else it is read.
func (r *Reader) current(ctx context.Context) State {
	if r.last != nil && r.last.changes == r.Changed.Load() {
		return *r.last
	}
	return r.must(ctx)
}

// changedSince says what differs in the driver since before, once it has had time to settle.
func (r *Reader) changedSince(ctx context.Context, before State) []string {
	return r.changed(ctx, before, r.ofTheCase())
}

// LeakedSince is changedSince for what is left after a case. That what is deleted is still listed is said once a run.
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
		suite.CouldNotTell("the driver's volumes and capacity, which tell what was left behind, could not be read: %v", unread)
	}
	return changes
}

// counted says which ids count if they are listed and were not, and which if they are missing and were not.
type counted struct {
	listed, missing func(id string) bool
}

// ofTheCase counts what is the case's doing. Others use the back end too, unless the profile says that it is the run's
// alone.
func (r *Reader) ofTheCase() counted {
	if r.Profile.Exclusive {
		all := func(string) bool { return true }
		return counted{all, all}
	}
	return counted{r.Made.Has, r.Made.Keeps}
}

// read reads what the driver holds, with a call for each part of it at once. Capacity that the profile does not call
// exact is not watched: others use it too. Nor is what the driver refuses to tell, which is for the cases on those calls
// to judge.
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

// worthKeeping is a list, without what others have where that is much and says nothing: then it is not even read for a case that
// has made nothing.
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
	made := map[string]bool{} // a new one: what is deleted from a map still takes its memory
	for id := range ids {
		if r.Made.Has(id) {
			made[id] = true
		}
	}
	return made, err
}

// told is a list, nil where the driver refuses to tell it, or the error of a call without an answer.
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

// differences says how the state differs from before, in sentences, as far as the ids count.
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

// listed says what is listed and was not, and the other way about.
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

// Survey reads the driver's state, and the room in its segments, which is that of the state where capacity is watched.
func (r *Reader) Survey(ctx context.Context) (State, map[string]room.Space, error) {
	before, err := r.read(ctx)
	if err != nil || r.Profile.Capacity.Exact() {
		return before, before.Rooms, err
	}
	rooms, err := r.Rooms.Read(ctx)
	return before, rooms, err
}
