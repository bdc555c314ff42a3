// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// state is what the driver shows of what it holds: its volumes and snapshots, where it claims to list them, and the room
// of each segment, where it claims to tell. What is nil or missing was not told.
type state struct {
	volumes   map[string]bool
	snapshots map[string]bool
	rooms     map[string]room
	// kept are the volumes and snapshots that the case had made when the state was read: a list may show them later.
	kept map[string]bool
	// changes is the driver's count of changes when the state was read.
	changes int64
}

// mustState reads the state; without it there is nothing to judge.
func (d *Driver) mustState(ctx context.Context) state {
	s, err := d.readState(ctx)
	if err != nil {
		suite.CouldNotTell("the driver's volumes and capacity, which the case needs to know, could not be read: %v", err)
	}
	return s
}

// currentState is the state that was read last, if the case has changed nothing since; else it is read.
func (d *Driver) currentState(ctx context.Context) state {
	if d.lastState != nil && d.lastState.changes == d.changes.Load() {
		return *d.lastState
	}
	return d.mustState(ctx)
}

// changedSince says what differs in the driver since before, once it has had time to settle.
func (d *Driver) changedSince(ctx context.Context, before state) []string {
	return d.changed(ctx, before, d.ofTheCase())
}

// leakedSince is changedSince for what is left after a case. That what is deleted is still listed is said once a run.
func (d *Driver) leakedSince(ctx context.Context, before state) []string {
	counts := d.ofTheCase()
	if d.health.lingers.Load() && !d.Profile().Exclusive {
		counts.listed = d.made.keeps
	}
	leaked := d.changed(ctx, before, counts)
	d.health.lingers.CompareAndSwap(false, len(leaked) > 0)
	return leaked
}

func (d *Driver) changed(ctx context.Context, before state, counts counted) []string {
	var changes []string
	var unread error
	settled := func() bool {
		var now state
		if now, unread = d.readState(ctx); unread != nil {
			return true
		}
		changes = now.differences(before, counts)
		return len(changes) == 0
	}
	d.Settled(ctx, ShownNothingNew, settled)
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
func (d *Driver) ofTheCase() counted {
	if d.Profile().Exclusive {
		all := func(string) bool { return true }
		return counted{all, all}
	}
	return counted{d.made.made, d.made.keeps}
}

// readState reads what the driver holds, with a call for each part of it at once. Capacity that the profile does not call
// exact is not watched: others use it too. Nor is what the driver refuses to tell, which is for the cases on those calls
// to judge.
func (d *Driver) readState(ctx context.Context) (state, error) {
	s := state{changes: d.changes.Load(), kept: d.made.kept()}
	calls, ctx := errgroup.WithContext(Tolerant(ctx))
	if d.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES) {
		calls.Go(func() (err error) {
			s.volumes, err = told(d.listVolumes(ctx))
			return err
		})
	}
	if d.Claims(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS) {
		calls.Go(func() (err error) {
			s.snapshots, err = told(d.listSnapshots(ctx))
			return err
		})
	}
	if d.Profile().Capacity.Exact() {
		calls.Go(func() (err error) {
			s.rooms, err = d.readRooms(ctx)
			return err
		})
	}
	if err := calls.Wait(); err != nil {
		return state{}, err
	}
	d.lastState = &s
	return s, nil
}

// readRooms asks for the room of each segment at once, where the driver claims to tell.
func (d *Driver) readRooms(ctx context.Context) (map[string]room, error) {
	if !d.measured() {
		return nil, nil //nolint:nilnil // that nothing is told is an answer, of which nothing follows
	}
	watched := d.watched()
	answers := make([]*csi.GetCapacityResponse, len(watched))
	calls, ctx := errgroup.WithContext(Tolerant(ctx))
	for i, segment := range watched {
		calls.Go(func() error {
			response, err := d.Controller.GetCapacity(ctx, d.CapacityRequest(segment))
			if unanswered(err) {
				return fmt.Errorf("GetCapacity of %s: %w", segment, err)
			}
			answers[i] = response
			return nil
		})
	}
	if err := calls.Wait(); err != nil {
		return nil, err
	}
	rooms := map[string]room{}
	for i, segment := range watched {
		if answers[i] != nil {
			rooms[segment.String()] = roomOf(answers[i])
		}
	}
	return rooms, nil
}

// told is a list, nil where the driver refuses to tell it, or the error of a call without an answer.
func told(ids map[string]bool, err error) (map[string]bool, error) {
	switch {
	case unanswered(err):
		return nil, err
	case err != nil:
		return nil, nil //nolint:nilnil // a refusal is an answer, of which nothing follows
	default:
		return ids, nil
	}
}

// unanswered reports whether a call failed without an answer of the driver.
func unanswered(err error) bool {
	switch status.Code(err) {
	case codes.Canceled, codes.DeadlineExceeded, codes.Unavailable:
		return true
	default:
		return false
	}
}

// watched are the segments whose capacity is watched: all of them, or the nil one for a driver without topology.
func (d *Driver) watched() model.Set {
	if len(d.segments) == 0 {
		return model.Set{nil}
	}
	return d.segments
}

// listVolumes lists the ids of all volumes.
func (d *Driver) listVolumes(ctx context.Context) (ids map[string]bool, err error) {
	ids = map[string]bool{}
	err = eachPage("ListVolumes", func(token string) (next string, err error) {
		response, err := d.Controller.ListVolumes(ctx, &csi.ListVolumesRequest{StartingToken: token})
		for _, entry := range response.GetEntries() {
			ids[entry.GetVolume().GetVolumeId()] = true
		}
		return response.GetNextToken(), err
	})
	return ids, err
}

// listSnapshots lists the ids of all snapshots.
func (d *Driver) listSnapshots(ctx context.Context) (ids map[string]bool, err error) {
	ids = map[string]bool{}
	err = eachPage("ListSnapshots", func(token string) (next string, err error) {
		response, err := d.Controller.ListSnapshots(ctx, &csi.ListSnapshotsRequest{StartingToken: token, Secrets: d.Profile().Secrets.ListSnapshots})
		for _, entry := range response.GetEntries() {
			ids[entry.GetSnapshot().GetSnapshotId()] = true
		}
		return response.GetNextToken(), err
	})
	return ids, err
}

// eachPage reads page after page, until there is no next_token.
func eachPage(rpc string, read func(token string) (next string, err error)) error {
	for token, seen := "", map[string]bool{}; ; {
		next, err := read(token)
		if err != nil {
			return fmt.Errorf("%s from token %q: %w", rpc, token, err)
		}
		if token = next; token == "" {
			return nil
		}
		if seen[token] {
			return fmt.Errorf("%s answered the next_token %q twice: its pages never end", rpc, token)
		}
		seen[token] = true
	}
}

// differences says how the state differs from before, in sentences, as far as the ids count.
func (s state) differences(before state, counts counted) []string {
	var found []string
	newcomers := counted{func(id string) bool { return !before.kept[id] && counts.listed(id) }, counts.missing}
	found = append(found, listed("volume", s.volumes, before.volumes, newcomers)...)
	found = append(found, listed("snapshot", s.snapshots, before.snapshots, newcomers)...)
	for _, segment := range slices.Sorted(maps.Keys(s.rooms)) {
		now := s.rooms[segment].available
		if then, told := before.rooms[segment]; told && now != then.available {
			found = append(found, fmt.Sprintf("%s has %d bytes available, and had %d", segment, now, then.available))
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
