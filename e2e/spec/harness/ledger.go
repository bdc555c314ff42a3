package harness

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// ledger holds what the case has made and not removed, oldest first. It is kept by the connection: what a case creates,
// publishes or stages by whatever call is in it, and nothing else is ever removed.
type ledger struct {
	driver *Driver

	mu      sync.Mutex
	entries []entry
}

// entry is one thing to remove.
type entry struct {
	what string
	undo func(ctx context.Context) error
}

func (l *ledger) enter(what string, undo func(context.Context) error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.ContainsFunc(l.entries, func(e entry) bool { return e.what == what }) {
		l.entries = append(l.entries, entry{what, undo})
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
			l.volume(response.(*csi.CreateVolumeResponse).GetVolume().GetVolumeId())
		}
		if !unknown {
			l.strike("volume named " + r.GetName())
		}
	case *csi.CreateSnapshotRequest:
		if err == nil {
			l.snapshot(response.(*csi.CreateSnapshotResponse).GetSnapshot().GetSnapshotId())
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

// giveBack removes everything of the ledger, the newest first. What cannot be removed is the harness's error: the cases
// after it could not be trusted.
func (d *Driver) giveBack(ctx context.Context) {
	if err := d.StartOver(ctx); err != nil {
		verdict.CouldNotTell("what the case made is left in the driver: %v", err)
	}
}

// StartOver removes everything that the case has made so far, the newest first, so that it can begin anew. The error
// says what could not be removed.
func (d *Driver) StartOver(ctx context.Context) error {
	ctx = Tolerant(ctx)
	var failures []error
	for _, e := range slices.Backward(d.ledger.all()) {
		if err := e.undo(ctx); err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", e.what, err))
			continue
		}
		d.ledger.strike(e.what)
	}
	return errors.Join(failures...)
}
