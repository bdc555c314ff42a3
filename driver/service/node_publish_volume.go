package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// NodePublishVolume binds the staged volume to the target path. A second call
// for the volume is answered as the spec's table says (NS-13, NS-14); one
// without a staging path is FAILED_PRECONDITION (NS-15).
func (n *Node) NodePublishVolume(ctx context.Context, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	if err := requirePath("target_path", r.GetTargetPath()); err != nil {
		return nil, err
	}
	mount, err := usableMountOf(r.GetVolumeCapability(), codes.FailedPrecondition)
	if err != nil {
		return nil, err
	}
	if r.GetStagingTargetPath() == "" {
		return nil, status.Error(codes.FailedPrecondition, "staging_target_path was empty: stage the volume and name where")
	}
	if err := requirePath("staging_target_path", r.GetStagingTargetPath()); err != nil {
		return nil, err
	}
	unlock, err := n.locks.lock(ctx, r.GetVolumeId())
	if err != nil {
		return nil, err
	}
	defer unlock()

	mode := r.GetVolumeCapability().GetAccessMode().GetMode()
	asked := usage{
		mode:       mode,
		fsType:     mount.GetFsType(),
		mountFlags: mount.GetMountFlags(),
		readOnly:   r.GetReadonly() || readerOnly(mode),
	}
	if err := n.published.admitAgain(r.GetVolumeId(), r.GetTargetPath(), asked); err != nil {
		return nil, err
	}
	if err := n.published.admitBeside(r.GetVolumeId(), r.GetTargetPath(), asked); err != nil {
		return nil, err
	}
	if err := n.volumes.Publish(ctx, r.GetVolumeId(), r.GetStagingTargetPath(), r.GetTargetPath(), asked.readOnly); err != nil {
		return nil, nodeStatus(err)
	}
	n.published.add(r.GetVolumeId(), r.GetTargetPath(), asked)
	return &csi.NodePublishVolumeResponse{}, nil
}
