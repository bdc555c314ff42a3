// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// NodeExpandVolume grows the mounted file system, or the block device, to the size that the controller gave the volume
// (NE-02, NE-03). It returns NOT_FOUND if the volume is not at the path (NE-26), INVALID_ARGUMENT if it is there with
// another access type (NE-25), FAILED_PRECONDITION if the file system cannot grow while mounted (NE-27), and OUT_OF_RANGE
// if the size is not in capacity_range (NE-28).
func (n *Node) NodeExpandVolume(ctx context.Context, r *csi.NodeExpandVolumeRequest) (*csi.NodeExpandVolumeResponse, error) {
	if err := checkExpand(r); err != nil {
		return nil, err
	}
	unlock, err := n.locks.lock(ctx, r.GetVolumeId())
	if err != nil {
		return nil, err
	}
	defer unlock()
	if r.GetVolumeCapability() != nil {
		present, err := n.volumes.Usage(ctx, r.GetVolumeId(), r.GetVolumePath())
		if err != nil {
			return nil, nodeStatus(err)
		}
		if block := r.GetVolumeCapability().GetBlock() != nil; present.Block != block {
			return nil, status.Errorf(codes.InvalidArgument, "volume %q is at %s %s, and volume_capability has it %s",
				r.GetVolumeId(), r.GetVolumePath(), accessType(present.Block), accessType(block))
		}
	}
	size, err := n.volumes.Expand(ctx, r.GetVolumeId(), r.GetVolumePath())
	if err != nil {
		return nil, nodeStatus(err)
	}
	if required := r.GetCapacityRange().GetRequiredBytes(); size < required {
		return nil, status.Errorf(codes.OutOfRange, "volume %q has %d bytes, all of which can now be used, and %d are required: expand it at the controller first", r.GetVolumeId(), size, required)
	}
	if limit := r.GetCapacityRange().GetLimitBytes(); limit > 0 && size > limit {
		return nil, status.Errorf(codes.OutOfRange, "volume %q has %d bytes, may have %d at most, and cannot shrink", r.GetVolumeId(), size, limit)
	}
	return &csi.NodeExpandVolumeResponse{CapacityBytes: size}, nil
}

func checkExpand(r *csi.NodeExpandVolumeRequest) error {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return err
	}
	if err := checkVolumePath(r.GetVolumePath()); err != nil {
		return err
	}
	if err := checkOptionalPath("staging_target_path", r.GetStagingTargetPath()); err != nil {
		return err
	}
	if r.GetCapacityRange() != nil {
		if err := checkRange(r.GetCapacityRange()); err != nil {
			return err
		}
	}
	if r.GetVolumeCapability() == nil {
		return requireOurs(r.GetVolumeId())
	}
	return checkUsable(r.GetVolumeId(), r.GetVolumeCapability(), codes.InvalidArgument)
}
