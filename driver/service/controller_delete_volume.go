package service

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/record"
)

// abandonTimeout is how long undoing a creation may take after its caller has gone.
const abandonTimeout = 30 * time.Second

// deleteVolume removes a volume and gives its capacity back. One that is not
// there is OK (DV-02), one that is published FAILED_PRECONDITION (DV-05).
func (c *controller) deleteVolume(ctx context.Context, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	v, err := c.known(r.GetVolumeId())
	if status.Code(err) == codes.NotFound {
		return &csi.DeleteVolumeResponse{}, nil
	}
	if err != nil {
		return nil, err
	}
	publications, err := c.store.Publications(v.ID)
	if err != nil {
		return nil, failure(err)
	}
	if len(publications) > 0 {
		return nil, status.Errorf(codes.FailedPrecondition, "volume %q is published on %s: unpublish it first", v.ID, nodesOf(publications))
	}
	// Recorded before anything is removed, so that a volume is never taken for
	// whole of which a part has gone.
	if v.State != record.Deleting {
		v.State = record.Deleting
		if err := c.store.Put(v); err != nil {
			return nil, failure(err)
		}
	}
	if err := c.discard(ctx, v); err != nil {
		return nil, failure(err)
	}
	return &csi.DeleteVolumeResponse{}, nil
}

// discard removes everything there is of a volume that is not Ready, and may be
// repeated. The record goes after what is on disk, so that nothing on disk is
// ever without one, and the capacity after both.
func (c *controller) discard(ctx context.Context, v record.Volume) error {
	if err := c.volumes.Delete(ctx, v.ID); err != nil {
		return fmt.Errorf("deleting volume %q: %w", v.ID, err)
	}
	if err := c.store.Remove(v.ID); err != nil {
		return err
	}
	c.placement.release(v.ID)
	return nil
}

// abandon discards a volume whose creation failed, and returns why it failed.
// It does not end with the call, which may have failed because the caller left.
// What it cannot remove, the next call for the name or the next start does.
func (c *controller) abandon(ctx context.Context, v record.Volume, cause error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abandonTimeout)
	defer cancel()
	if err := c.discard(ctx, v); err != nil {
		return fmt.Errorf("%w; undoing it: %w", cause, err)
	}
	return cause
}

func nodesOf(publications []record.Publication) string {
	nodes := make([]string, 0, len(publications))
	for _, p := range publications {
		nodes = append(nodes, fmt.Sprintf("node %q", p.NodeID))
	}
	return strings.Join(nodes, ", ")
}
