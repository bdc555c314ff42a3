// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"errors"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/record"
)

// getSnapshot returns a snapshot, or NOT_FOUND.
func (c *controller) getSnapshot(_ context.Context, r *csi.GetSnapshotRequest) (*csi.GetSnapshotResponse, error) {
	if err := checkID("snapshot_id", r.GetSnapshotId()); err != nil {
		return nil, err
	}
	s, err := c.findSnapshot(r.GetSnapshotId())
	if err != nil {
		return nil, err
	}
	return &csi.GetSnapshotResponse{Snapshot: answerSnapshot(s)}, nil
}

// findSnapshot returns the snapshot with the id, or NOT_FOUND if there is none or it was not acknowledged yet.
func (c *controller) findSnapshot(id string) (record.Snapshot, error) {
	s, err := c.store.Snapshot(id)
	if errors.Is(err, record.ErrNotFound) || (err == nil && !acknowledgedSnapshot(s)) {
		return s, status.Errorf(codes.NotFound, "there is no snapshot %q", id)
	}
	return s, failure(err)
}

// findUsableSnapshot does what findSnapshot does, but returns ABORTED for a snapshot whose deletion has begun.
func (c *controller) findUsableSnapshot(id string) (record.Snapshot, error) {
	s, err := c.findSnapshot(id)
	if err == nil && s.State == record.Deleting {
		return s, status.Errorf(codes.Aborted, "snapshot %q is being deleted", id)
	}
	return s, err
}

// acknowledgedSnapshot reports whether a caller may know of the snapshot.
func acknowledgedSnapshot(s record.Snapshot) bool { return s.State != record.Creating }
