// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/record"
)

// deleteGroupSnapshot removes a group with all of its snapshots and releases their capacity. It returns OK for a group
// that does not exist, and INVALID_ARGUMENT if snapshot_ids are not the group's. Volumes that were restored from the
// snapshots are copies, and stay.
func (c *controller) deleteGroupSnapshot(ctx context.Context, r *csi.DeleteVolumeGroupSnapshotRequest) (*csi.DeleteVolumeGroupSnapshotResponse, error) {
	if err := checkID("group_snapshot_id", r.GetGroupSnapshotId()); err != nil {
		return nil, err
	}
	group, members, err := c.findGroup(r.GetGroupSnapshotId())
	if status.Code(err) == codes.NotFound {
		return &csi.DeleteVolumeGroupSnapshotResponse{}, nil
	}
	if err != nil {
		return nil, err
	}
	if err := checkMembers(group, r.GetSnapshotIds()); err != nil {
		return nil, err
	}
	if err := c.discardGroup(ctx, group, members); err != nil {
		return nil, failure(err)
	}
	return &csi.DeleteVolumeGroupSnapshotResponse{}, nil
}

// checkMembers returns INVALID_ARGUMENT unless the ids are the ids of the group's snapshots, in any order.
func checkMembers(group record.Group, ids []string) error {
	if !slices.Equal(slices.Sorted(slices.Values(group.Snapshots)), slices.Sorted(slices.Values(ids))) {
		return status.Errorf(codes.InvalidArgument, "snapshot_ids must be the ids of group snapshot %q, which are %q, and are %.512q", group.ID, group.Snapshots, ids)
	}
	return nil
}
