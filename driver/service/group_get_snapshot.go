// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// getGroupSnapshot returns a group with its snapshots, or NOT_FOUND. It returns INVALID_ARGUMENT if snapshot_ids are not
// the group's.
func (c *controller) getGroupSnapshot(_ context.Context, r *csi.GetVolumeGroupSnapshotRequest) (*csi.GetVolumeGroupSnapshotResponse, error) {
	if err := checkID("group_snapshot_id", r.GetGroupSnapshotId()); err != nil {
		return nil, err
	}
	group, members, err := c.findGroup(r.GetGroupSnapshotId())
	if err != nil {
		return nil, err
	}
	if err := checkMembers(group, r.GetSnapshotIds()); err != nil {
		return nil, err
	}
	return &csi.GetVolumeGroupSnapshotResponse{GroupSnapshot: answerGroup(group, members)}, nil
}
