package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// NodeGetVolumeStats tells what the mounted file system holds; a volume that is
// not at the path is NOT_FOUND. It may run beside any other call for the volume.
func (n *Node) NodeGetVolumeStats(ctx context.Context, r *csi.NodeGetVolumeStatsRequest) (*csi.NodeGetVolumeStatsResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	if err := requireVolumePath(r.GetVolumePath()); err != nil {
		return nil, err
	}
	u, err := n.volumes.Usage(ctx, r.GetVolumeId(), r.GetVolumePath())
	if err != nil {
		return nil, nodeStatus(err)
	}
	return &csi.NodeGetVolumeStatsResponse{Usage: []*csi.VolumeUsage{
		{Unit: csi.VolumeUsage_BYTES, Total: u.TotalBytes, Used: u.UsedBytes, Available: u.AvailableBytes},
		{Unit: csi.VolumeUsage_INODES, Total: u.TotalInodes, Used: u.UsedInodes, Available: u.AvailableInodes},
	}}, nil
}
