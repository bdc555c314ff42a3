package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// NodeStageVolume mounts the volume at its staging path, making a file system
// where there is none. Staged already in the way asked is OK (NS-04), in another
// way ALREADY_EXISTS (NS-05); a volume without an image is NOT_FOUND.
func (n *Node) NodeStageVolume(ctx context.Context, r *csi.NodeStageVolumeRequest) (*csi.NodeStageVolumeResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	if err := requirePath("staging_target_path", r.GetStagingTargetPath()); err != nil {
		return nil, err
	}
	mount, err := usableMountOf(r.GetVolumeCapability(), codes.FailedPrecondition)
	if err != nil {
		return nil, err
	}
	unlock, err := n.locks.lock(ctx, r.GetVolumeId())
	if err != nil {
		return nil, err
	}
	defer unlock()
	asked := usage{mountFlags: mount.GetMountFlags()}
	if err := n.staged.admitAgain(r.GetVolumeId(), r.GetStagingTargetPath(), asked); err != nil {
		return nil, err
	}
	if err := n.volumes.Stage(ctx, r.GetVolumeId(), r.GetStagingTargetPath(), volume.StageOptions{
		FSType:     mount.GetFsType(),
		MountFlags: mount.GetMountFlags(),
		ReadOnly:   readerOnly(r.GetVolumeCapability().GetAccessMode().GetMode()),
	}); err != nil {
		return nil, nodeStatus(err)
	}
	n.staged.add(r.GetVolumeId(), r.GetStagingTargetPath(), asked)
	return &csi.NodeStageVolumeResponse{}, nil
}
