// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// ledger holds what the case has made and not removed, oldest first. It is kept by the connection: what a case creates,
// publishes or stages by whatever call is in it, and nothing else is ever removed.
type ledger struct {
	driver *Driver

	mu          sync.Mutex
	entries     []entry
	unpublished []string // the target paths at which the driver says that nothing is any more
}

// entry is one thing to remove.
type entry struct {
	what string
	undo func(ctx context.Context) error
	// kind is what can be removed at the same time as neighbours of the same kind; empty for what cannot.
	kind string
	// of is what it uses, by the name of its entry: a publication its volume, and a copy its source; empty where it uses nothing.
	of string
}

func (l *ledger) enter(what string, undo func(context.Context) error) {
	l.add(entry{what: what, undo: undo})
}

// uses reports whether something in the ledger uses what has the name.
func (l *ledger) uses(what string) bool {
	return slices.ContainsFunc(l.all(), func(e entry) bool { return e.of == what })
}

func (l *ledger) add(one entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.ContainsFunc(l.entries, func(e entry) bool { return e.what == one.what }) {
		l.entries = append(l.entries, one)
	}
}

func (l *ledger) strike(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = slices.DeleteFunc(l.entries, func(e entry) bool { return e.what == what })
}

func (l *ledger) all() []entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.entries)
}

func (l *ledger) unpublish(target string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unpublished = append(l.unpublished, target)
}

func (l *ledger) isUnpublished(target string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Contains(l.unpublished, target)
}

// sent enters what a call may make, before it is made: its answer may never come.
func (l *ledger) sent(request any) {
	d := l.driver
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		l.enter("volume named "+r.GetName(), func(ctx context.Context) error { return d.removeNamed(ctx, r) })
	case *csi.CreateSnapshotRequest:
		l.enter("snapshot named "+r.GetName(), func(ctx context.Context) error { return d.removeSnapshotNamed(ctx, r) })
	}
}

// answered enters what a call has made, and strikes what it has removed. After a failure that leaves open whether
// anything was made, what was entered before the call stays.
func (l *ledger) answered(node *Node, request, response any, err error) {
	unknown := err != nil && leavesOpen(status.Code(err))
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		if err == nil {
			l.volume(response.(*csi.CreateVolumeResponse).GetVolume().GetVolumeId(), r.GetVolumeContentSource())
		}
		if !unknown {
			l.strike("volume named " + r.GetName())
		}
	case *csi.CreateSnapshotRequest:
		if err == nil {
			l.snapshot(response.(*csi.CreateSnapshotResponse).GetSnapshot().GetSnapshotId(), r.GetSourceVolumeId())
		}
		if !unknown {
			l.strike("snapshot named " + r.GetName())
		}
	case *csi.DeleteVolumeRequest:
		if err == nil {
			l.strike("volume " + r.GetVolumeId())
		}
	case *csi.DeleteSnapshotRequest:
		if err == nil {
			l.strike("snapshot " + r.GetSnapshotId())
		}
	case *csi.ControllerPublishVolumeRequest:
		if err == nil || unknown {
			l.published(r)
		}
	case *csi.ControllerUnpublishVolumeRequest:
		if err == nil {
			l.strike(publication(r.GetVolumeId(), r.GetNodeId()))
		}
	default:
		l.answeredByNode(node, request, err == nil, err == nil || unknown)
	}
}

func (l *ledger) answeredByNode(node *Node, request any, done, maybe bool) {
	switch r := request.(type) {
	case *csi.NodeStageVolumeRequest:
		if maybe {
			l.staged(node, r)
		}
	case *csi.NodeUnstageVolumeRequest:
		if done {
			l.strike(staging(node, r.GetVolumeId(), r.GetStagingTargetPath()))
		}
	case *csi.NodePublishVolumeRequest:
		if maybe {
			l.nodePublished(node, r)
		}
	case *csi.NodeUnpublishVolumeRequest:
		if done {
			l.strike(nodePublication(node, r.GetVolumeId(), r.GetTargetPath()))
			l.unpublish(r.GetTargetPath())
		}
	}
}

// leavesOpen reports whether a failure with the code may have done what was asked.
func leavesOpen(code codes.Code) bool {
	switch code {
	case codes.Canceled, codes.Unknown, codes.DeadlineExceeded, codes.Aborted, codes.Internal, codes.Unavailable, codes.DataLoss:
		return true
	default:
		return false
	}
}

// giveBack removes everything of the ledger. What cannot be removed is named, and left for the end of the run: it does
// not concern the cases after this one.
func (d *Driver) giveBack(ctx context.Context) {
	err := d.StartOver(ctx)
	if err == nil {
		return
	}
	d.health.leave(d.ledger.clear())
	d.mustHaveAnswered(ctx)
	suite.CouldNotTell("clean-up could not remove all that the case made, or may have made. This is left in the driver, or may be:\n%v\nThe names of everything that this run makes begin with csi-topo-%s", err, d.target.Run)
}

// StartOver removes everything that the case has made so far, so that it can begin anew. It tries again while that makes
// a difference, for no longer than the limit for clean-up. The error says what could not be removed.
func (d *Driver) StartOver(ctx context.Context) error {
	ctx = Tolerant(ctx)
	const fewest = 3
	limit := d.target.Timeouts.Cleanup
	end := time.Now().Add(limit)
	waiting, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	delays := backoff(limit)
	for pass := 1; ; pass++ {
		before := len(d.ledger.all())
		err := d.removeAll(ctx, end)
		progress := len(d.ledger.all()) < before
		if err == nil || !progress && pass >= fewest || time.Now().After(end) || d.health.stoppedSince() != "" {
			return err
		}
		if pause(waiting, delays.Step()) != nil {
			return err
		}
	}
}

// removeAll removes what is in the ledger, the newest first, and what is of one kind and was made one after another together.
func (d *Driver) removeAll(ctx context.Context, end time.Time) error {
	const atOnce = 8
	entries := d.ledger.all()
	slices.Reverse(entries)
	failures := make([]error, len(entries))
	for first := 0; first < len(entries); {
		next := first + 1
		for next < len(entries) && entries[first].kind != "" && entries[next].kind == entries[first].kind {
			next++
		}
		var removals errgroup.Group
		removals.SetLimit(atOnce)
		for i, e := range entries[first:next] {
			removals.Go(func() error {
				failures[first+i] = d.remove(ctx, e, end)
				return nil
			})
		}
		_ = removals.Wait() // the errors are in failures
		first = next
	}
	return errors.Join(failures...)
}

func (d *Driver) remove(ctx context.Context, e entry, end time.Time) error {
	if time.Now().After(end) {
		return fmt.Errorf("%s: there was no time left to remove it", e.what)
	}
	if err := e.undo(ctx); err != nil {
		return stuck(e, err)
	}
	d.ledger.strike(e.what)
	return nil
}

// stuck says why the entry could not be removed: for a call by its status.
func stuck(e entry, err error) error {
	if _, isStatus := status.FromError(err); isStatus {
		return fmt.Errorf("%s: %s", e.what, Describe(err))
	}
	return fmt.Errorf("%s: %w", e.what, err)
}

// clear empties the ledger and returns what was in it.
func (l *ledger) clear() []entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	entries := l.entries
	l.entries = nil
	return entries
}
