// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/driver/record/usage"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// NodeStageVolume mounts the volume at its staging path, making a file system if it has none, or puts its block device
// there. It returns OK if the volume is staged in the requested way already (NS-04), ALREADY_EXISTS if in another way
// (NS-05), NOT_FOUND for a volume that does not exist, and FAILED_PRECONDITION for a capability that its kind lacks, or a
// publication to another node than this one (NS-01).
func (n *Node) NodeStageVolume(ctx context.Context, r *csi.NodeStageVolumeRequest) (*csi.NodeStageVolumeResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	if err := checkPath("staging_target_path", r.GetStagingTargetPath()); err != nil {
		return nil, err
	}
	if err := requireCapability(r.GetVolumeCapability()); err != nil {
		return nil, err
	}
	readOnly, err := n.checkContexts(r.GetPublishContext(), r.GetVolumeContext())
	if err != nil {
		return nil, err
	}
	if err := checkUsable(r.GetVolumeId(), r.GetVolumeCapability(), codes.FailedPrecondition); err != nil {
		return nil, err
	}
	if err := checkNoLink("staging_target_path", r.GetStagingTargetPath()); err != nil {
		return nil, err
	}
	unlock, err := n.locks.lock(ctx, r.GetVolumeId())
	if err != nil {
		return nil, err
	}
	defer unlock()

	at := usage.At{VolumeID: r.GetVolumeId(), Path: r.GetStagingTargetPath(), Role: usage.Staged}
	w := parseCapability(r.GetVolumeCapability(), readOnly)
	known, err := n.admitAgain(ctx, at, w)
	if err != nil {
		return nil, err
	}
	err = n.mountAt(ctx, at, w, known, func() error {
		return n.volumes.Stage(ctx, at.VolumeID, at.Path, volume.StageOptions{
			Block:      w.block,
			FSType:     w.fsType,
			MountFlags: w.mountFlags,
			ReadOnly:   w.readOnly,
		})
	})
	if err != nil {
		return nil, err
	}
	return &csi.NodeStageVolumeResponse{}, nil
}
