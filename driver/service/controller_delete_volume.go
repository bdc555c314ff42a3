// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/record"
)

// abandonTimeout limits how long undoing a creation takes after its caller has gone.
const abandonTimeout = 30 * time.Second

// deleteVolume removes a volume and releases its capacity. It returns OK for a volume that does not exist (DV-02), and
// FAILED_PRECONDITION for a published one (DV-05).
func (c *controller) deleteVolume(ctx context.Context, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	v, err := c.findVolume(r.GetVolumeId())
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
	if err := c.discard(ctx, v); err != nil {
		return nil, failure(err)
	}
	return &csi.DeleteVolumeResponse{}, nil
}

// discard removes a volume, and may be repeated. It removes the record after the data, so that nothing on disk is ever
// without a record, and then releases the capacity.
func (c *controller) discard(ctx context.Context, v record.Volume) error {
	defer c.reserveAsRecorded(v.ID)
	// The record is changed first, so that a partly removed volume is never mistaken for a whole one.
	if v.State == record.Ready {
		v.State = record.Deleting
		if err := c.store.Put(v); err != nil {
			return err
		}
	}
	if err := c.volumes.Delete(ctx, v.ID); err != nil {
		return fmt.Errorf("deleting volume %q: %w", v.ID, err)
	}
	return c.store.Remove(v.ID)
}

// reserveAsRecorded reserves the bytes in the record of a volume, or none if there is no record: then nothing of the
// volume is on disk. It reads the record again, because a failed change of the records may nevertheless have been made.
func (c *controller) reserveAsRecorded(id string) {
	v, err := c.store.Volume(id)
	switch {
	case err == nil:
		c.placement.restore(v)
	case errors.Is(err, record.ErrNotFound):
		c.placement.release(id)
	}
}

// abandon discards a volume whose creation failed, and returns the cause. It goes on after the end of the call, which may
// have failed because the caller left. If it cannot remove everything, the next call for the name or the next start does;
// it then returns INTERNAL whatever the cause, because RESOURCE_EXHAUSTED promises that nothing is left.
func (c *controller) abandon(ctx context.Context, v record.Volume, cause error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abandonTimeout)
	defer cancel()
	if err := c.discard(ctx, v); err != nil {
		return status.Errorf(codes.Internal, "%v; undoing it: %v", cause, err)
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
