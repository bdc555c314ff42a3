// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// NodeGetVolumeStats returns the usage of the mounted file system or the size of the block device, or NOT_FOUND if the
// volume is not at the path. It may run concurrently with any other call for the volume.
func (n *Node) NodeGetVolumeStats(ctx context.Context, r *csi.NodeGetVolumeStatsRequest) (*csi.NodeGetVolumeStatsResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	if err := checkVolumePath(r.GetVolumePath()); err != nil {
		return nil, err
	}
	if err := checkOptionalPath("staging_target_path", r.GetStagingTargetPath()); err != nil {
		return nil, err
	}
	if err := requireOurs(r.GetVolumeId()); err != nil {
		return nil, err
	}
	u, err := n.volumes.Usage(ctx, r.GetVolumeId(), r.GetVolumePath())
	if err != nil {
		return nil, nodeStatus(err)
	}
	if u.Block {
		// Only the user of a block device knows how much of it is used.
		return &csi.NodeGetVolumeStatsResponse{Usage: []*csi.VolumeUsage{{Unit: csi.VolumeUsage_BYTES, Total: u.TotalBytes}}}, nil
	}
	return &csi.NodeGetVolumeStatsResponse{Usage: []*csi.VolumeUsage{
		{Unit: csi.VolumeUsage_BYTES, Total: u.TotalBytes, Used: u.UsedBytes, Available: u.AvailableBytes},
		{Unit: csi.VolumeUsage_INODES, Total: u.TotalInodes, Used: u.UsedInodes, Available: u.AvailableInodes},
	}}, nil
}
