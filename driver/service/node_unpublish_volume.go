package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// NodeUnpublishVolume unbinds and removes the target path (NS-16). Not published
// there is OK; a volume that is not known at all is NOT_FOUND.
func (n *Node) NodeUnpublishVolume(ctx context.Context, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	if err := requirePath("target_path", r.GetTargetPath()); err != nil {
		return nil, err
	}
	unlock, err := n.locks.lock(ctx, r.GetVolumeId())
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := n.volumes.Unpublish(ctx, r.GetVolumeId(), r.GetTargetPath()); err != nil {
		return nil, nodeStatus(err)
	}
	n.published.remove(r.GetVolumeId(), r.GetTargetPath())
	return &csi.NodeUnpublishVolumeResponse{}, nil
}
