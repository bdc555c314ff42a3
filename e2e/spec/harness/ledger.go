// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/ledger"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/own"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// UndoLater calls undo after the case, for a change that is not made by a call to the driver.
func UndoLater(d *Driver, what string, undo func(ctx context.Context) error) {
	d.ledger.Enter(what, undo)
}

// EnterAgain enters the object that the request may have made, so that it is removed after the case, though another call
// with its name was answered.
func EnterAgain(d *Driver, request any) {
	noteSent(d, request)
}

// noteSent enters the object that a call may make, before the call is made: its answer may never come. A call without a name
// gets a different answer each time.
func noteSent(d *Driver, request any) {
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		d.health.Books.Ask(r.GetName(), r.GetCapacityRange().GetRequiredBytes())
		if r.GetName() != "" {
			d.ledger.Enter(string(own.Volume)+ledger.Named+r.GetName(), func(ctx context.Context) error { return removeNamed(ctx, d, r) })
		}
	case *csi.CreateSnapshotRequest:
		if r.GetName() != "" {
			d.ledger.Enter(string(own.Snapshot)+ledger.Named+r.GetName(), func(ctx context.Context) error { return removeSnapshotNamed(ctx, d, r) })
		}
	case *csi.CreateVolumeGroupSnapshotRequest:
		if r.GetName() != "" {
			d.ledger.Enter(string(own.Group)+ledger.Named+r.GetName(), func(ctx context.Context) error { return removeGroupNamed(ctx, d, r) })
		}
	}
}

// noteAnswered enters the object that a call has made, if it belongs to the run, and strikes the one that it has removed.
// After a failure that leaves open whether anything was made, the entry from before the call stays.
func noteAnswered(d *Driver, node *Node, request, response any, err error) {
	unknown := err != nil && statuses.LeavesOpen(status.Code(err))
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		made := response.(*csi.CreateVolumeResponse)
		if !unknown {
			d.health.Books.Answer(r.GetName(), made.GetVolume())
		}
		if id := made.GetVolume().GetVolumeId(); err == nil && claim(d, own.Volume, id, r, made) {
			enterVolume(d, id, r.GetVolumeContentSource())
		}
		if !unknown {
			d.ledger.Strike(string(own.Volume) + ledger.Named + r.GetName())
		}
	case *csi.CreateSnapshotRequest:
		taken := response.(*csi.CreateSnapshotResponse)
		if id := taken.GetSnapshot().GetSnapshotId(); err == nil && claim(d, own.Snapshot, id, r, taken) {
			enterSnapshot(d, id, r.GetSourceVolumeId())
		}
		if !unknown {
			d.ledger.Strike(string(own.Snapshot) + ledger.Named + r.GetName())
		}
	case *csi.CreateVolumeGroupSnapshotRequest, *csi.DeleteVolumeGroupSnapshotRequest:
		noteAnsweredOfGroup(d, request, response, err)
	case *csi.ControllerExpandVolumeRequest:
		if err == nil {
			d.health.Books.Grow(r.GetVolumeId(), response.(*csi.ControllerExpandVolumeResponse).GetCapacityBytes())
		}
	case *csi.DeleteVolumeRequest:
		if err == nil {
			d.health.Own.Delete(own.Volume, r.GetVolumeId())
			d.health.Books.Delete(r.GetVolumeId())
			d.ledger.Strike("volume " + r.GetVolumeId())
		}
	case *csi.DeleteSnapshotRequest:
		if err == nil {
			d.health.Own.Delete(own.Snapshot, r.GetSnapshotId())
			d.ledger.Strike("snapshot " + r.GetSnapshotId())
		}
	case *csi.ControllerPublishVolumeRequest:
		noteUnusable(d, request, err)
		if err == nil || unknown {
			enterPublication(d, r)
		}
		if unknown {
			d.ledger.MayComeLate(entryOfPublication(d, r))
		}
	case *csi.ControllerUnpublishVolumeRequest:
		if err == nil {
			d.ledger.Strike(publication(r.GetVolumeId(), r.GetNodeId()))
		}
	default:
		noteUnusable(d, request, err)
		noteAnsweredByNode(d, node, request, err == nil, err == nil || unknown)
	}
}

func noteAnsweredByNode(d *Driver, node *Node, request any, done, maybe bool) {
	switch r := request.(type) {
	case *csi.NodeStageVolumeRequest:
		if maybe {
			enterStaging(d, node, r)
		} else {
			enterPossibleStaging(d, node, r.GetVolumeId(), r.GetStagingTargetPath())
		}
	case *csi.NodeUnstageVolumeRequest:
		if done {
			d.ledger.Strike(staging(node, r.GetVolumeId(), r.GetStagingTargetPath()))
			d.ledger.Strike(perhaps + staging(node, r.GetVolumeId(), r.GetStagingTargetPath()))
		}
	case *csi.NodePublishVolumeRequest:
		if maybe {
			enterPossibleStaging(d, node, r.GetVolumeId(), r.GetStagingTargetPath())
			enterNodePublication(d, node, r)
		} else {
			enterRefusedPublication(d, node, r)
		}
	case *csi.NodeUnpublishVolumeRequest:
		if done {
			d.ledger.Strike(nodePublication(node, r.GetVolumeId(), r.GetTargetPath()))
			d.ledger.Strike(perhaps + nodePublication(node, r.GetVolumeId(), r.GetTargetPath()))
			d.ledger.Unpublish(r.GetTargetPath())
		}
	}
}

// giveBack removes everything in the ledger. It reports entries that cannot be removed, and leaves them for the end of the
// run: they do not affect the following cases. If it is cut short, the clean-up after the case does the rest.
func giveBack(ctx context.Context, d *Driver) {
	err := d.StartOver(ctx)
	if err == nil {
		return
	}
	if ctx.Err() != nil {
		suite.CouldNotTell("removing what the case made was interrupted")
	}
	leave(ctx, d, err)
}

// leave reports the entries that could not be removed, and leaves them for the end of the run.
func leave(ctx context.Context, d *Driver, err error) {
	left := d.ledger.Clear()
	d.health.Leave(left)
	mustHaveAnswered(ctx, d)
	hangs := func(e ledger.Entry) bool { return d.health.Hangs(e.By) }
	awaits := func(e ledger.Entry) bool {
		return slices.ContainsFunc(left, func(other ledger.Entry) bool { return hangs(other) && e.Awaits(other) })
	}
	if !slices.ContainsFunc(left, func(e ledger.Entry) bool { return !hangs(e) && !awaits(e) }) {
		return // the case that found it out reports it, and the end of the run names the leftovers
	}
	suite.CouldNotTell("clean-up could not remove everything that the case made, or may have made. The driver still has, or may have:\n%v\nThe names of everything that this run makes begin with %s", err, d.Profile().Names(d.Target.Run))
}

// removeOrLeave removes everything in the ledger, after an interrupt too. What it cannot remove, it leaves for the end of the
// run.
func (d *Driver) removeOrLeave(ctx context.Context) {
	cleaning, cancel := suite.CleanUp(ctx, d.Target.Timeouts.Cleanup)
	defer cancel()
	if d.StartOver(cleaning) != nil {
		d.health.Leave(d.ledger.Clear())
	}
}

// StartOver removes everything that the case has made, so that it can begin anew. It repeats that as long as it removes
// more, up to the limit for clean-up. The error describes the entries that could not be removed.
func (d *Driver) StartOver(ctx context.Context) error {
	ctx = attempt.CleaningUp(ctx)
	const fewest = 3
	limit := d.Target.Timeouts.Cleanup
	end := time.Now().Add(limit)
	waiting, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	delays := attempt.Backoff(limit)
	for pass := 1; ; pass++ {
		before := len(d.ledger.All())
		failures := removeAll(ctx, d, end)
		progress := len(d.ledger.All()) < before
		if len(failures) == 0 || !progress && pass >= fewest || time.Now().After(end) || d.health.StoppedSince() != "" ||
			attempt.Pause(waiting, delays.Step()) != nil {
			return d.strikeMoot(failures)
		}
	}
}

// strikeMoot strikes entries of a volume that is gone, and returns the other failures.
func (d *Driver) strikeMoot(failures []failedRemoval) error {
	var errs []error
	for _, f := range failures {
		if isMoot(f.err) {
			d.ledger.Strike(f.What)
			continue
		}
		errs = append(errs, f.err)
	}
	return errors.Join(errs...)
}

// failedRemoval is an entry of the ledger that could not be removed.
type failedRemoval struct {
	ledger.Entry
	err error
}

// removeAll removes the entries of the ledger, newest first. Consecutive entries of one kind are removed together.
func removeAll(ctx context.Context, d *Driver, end time.Time) []failedRemoval {
	const atOnce = 8
	entries := d.ledger.All()
	slices.Reverse(entries)
	var failures []failedRemoval
	for first := 0; first < len(entries); {
		next := first + 1
		for next < len(entries) && entries[first].Kind != "" && entries[next].Kind == entries[first].Kind {
			next++
		}
		together := entries[first:next]
		errs := make([]error, len(together))
		var removals errgroup.Group
		removals.SetLimit(atOnce)
		for i, e := range together {
			removals.Go(func() error {
				errs[i] = remove(ctx, d, e, failures, end)
				return nil
			})
		}
		_ = removals.Wait() // the errors are in errs
		for i, err := range errs {
			if err != nil {
				failures = append(failures, failedRemoval{together[i], err})
			}
		}
		first = next
	}
	return failures
}

func remove(ctx context.Context, d *Driver, e ledger.Entry, failures []failedRemoval, end time.Time) error {
	if time.Now().After(end) {
		return fmt.Errorf("%s: there was no time left to remove it", e)
	}
	if err := undo(ctx, e, failures); err != nil {
		return ledger.Stuck(e, err)
	}
	d.ledger.Strike(e.What)
	return nil
}

// undo removes the entry, unless it awaits an entry that could not be removed: a volume that is mounted must stay
// attached.
func undo(ctx context.Context, e ledger.Entry, failures []failedRemoval) error {
	for _, f := range failures {
		if e.Awaits(f.Entry) && !isMoot(f.err) {
			return fmt.Errorf("it is kept, because this could not be removed first: %s", f.What)
		}
	}
	return e.Undo(ctx)
}
