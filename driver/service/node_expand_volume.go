package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// NodeExpandVolume grows the mounted file system to the size that the controller
// gave the volume (NE-02, NE-03). A volume that is not at the path is NOT_FOUND
// (NE-26), a file system that cannot grow while mounted FAILED_PRECONDITION
// (NE-27), a capacity range that the size is not in OUT_OF_RANGE (NE-28).
func (n *Node) NodeExpandVolume(ctx context.Context, r *csi.NodeExpandVolumeRequest) (*csi.NodeExpandVolumeResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	if err := requireVolumePath(r.GetVolumePath()); err != nil {
		return nil, err
	}
	if r.GetVolumeCapability() != nil {
		if _, err := usableMountOf(r.GetVolumeCapability(), codes.InvalidArgument); err != nil {
			return nil, err
		}
	}
	if r.GetCapacityRange() != nil {
		if err := checkRange(r.GetCapacityRange()); err != nil {
			return nil, err
		}
	}
	unlock, err := n.locks.lock(ctx, r.GetVolumeId())
	if err != nil {
		return nil, err
	}
	defer unlock()
	size, err := n.volumes.Expand(ctx, r.GetVolumeId(), r.GetVolumePath())
	if err != nil {
		return nil, nodeStatus(err)
	}
	if required := r.GetCapacityRange().GetRequiredBytes(); size < required {
		return nil, status.Errorf(codes.OutOfRange, "volume %q has %d bytes, of which the file system now has the use, and %d are required: expand it at the controller first", r.GetVolumeId(), size, required)
	}
	return &csi.NodeExpandVolumeResponse{CapacityBytes: size}, nil
}
