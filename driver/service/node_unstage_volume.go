package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// NodeUnstageVolume unmounts the staging path (NS-06). Not staged there is OK
// (NS-09); a volume that is not known at all is NOT_FOUND (NS-10).
func (n *Node) NodeUnstageVolume(ctx context.Context, r *csi.NodeUnstageVolumeRequest) (*csi.NodeUnstageVolumeResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	if err := requirePath("staging_target_path", r.GetStagingTargetPath()); err != nil {
		return nil, err
	}
	unlock, err := n.locks.lock(ctx, r.GetVolumeId())
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := n.volumes.Unstage(ctx, r.GetVolumeId(), r.GetStagingTargetPath()); err != nil {
		return nil, nodeStatus(err)
	}
	n.staged.remove(r.GetVolumeId(), r.GetStagingTargetPath())
	return &csi.NodeUnstageVolumeResponse{}, nil
}
