// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"errors"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/record"
)

// deleteSnapshot removes a snapshot and releases its capacity. It returns OK for a snapshot that does not exist, and
// INVALID_ARGUMENT for one that is part of a group. Volumes that were restored from it are copies, and stay.
func (c *controller) deleteSnapshot(ctx context.Context, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
	if err := checkID("snapshot_id", r.GetSnapshotId()); err != nil {
		return nil, err
	}
	s, err := c.findSnapshot(r.GetSnapshotId())
	if status.Code(err) == codes.NotFound {
		return &csi.DeleteSnapshotResponse{}, nil
	}
	if err != nil {
		return nil, err
	}
	if s.GroupID != "" {
		return nil, status.Errorf(codes.InvalidArgument, "snapshot %q is part of group snapshot %q: delete that", s.ID, s.GroupID)
	}
	if err := c.discardSnapshot(ctx, s); err != nil {
		return nil, failure(err)
	}
	return &csi.DeleteSnapshotResponse{}, nil
}

// discardSnapshot does for a snapshot what discard does for a volume.
func (c *controller) discardSnapshot(ctx context.Context, s record.Snapshot) error {
	defer c.reserveSnapshotAsRecorded(s.ID)
	if s.State == record.Ready {
		s.State = record.Deleting
		if err := c.store.PutSnapshot(s); err != nil {
			return err
		}
	}
	if err := c.volumes.DeleteSnapshot(ctx, s.ID); err != nil {
		return fmt.Errorf("deleting snapshot %q: %w", s.ID, err)
	}
	return c.store.RemoveSnapshot(s.ID)
}

// reserveSnapshotAsRecorded does for a snapshot what reserveAsRecorded does for a
// volume.
func (c *controller) reserveSnapshotAsRecorded(id string) {
	s, err := c.store.Snapshot(id)
	switch {
	case err == nil:
		c.placement.restoreSnapshot(s)
	case errors.Is(err, record.ErrNotFound):
		c.placement.release(id)
	}
}

// abandonSnapshot does for a snapshot what abandon does for a volume.
func (c *controller) abandonSnapshot(ctx context.Context, s record.Snapshot, cause error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abandonTimeout)
	defer cancel()
	if err := c.discardSnapshot(ctx, s); err != nil {
		return status.Errorf(codes.Internal, "%v; undoing it: %v", cause, err)
	}
	return cause
}
