// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// modifyVolume changes when the bytes of a volume are allocated on disk. Allocated bytes stay allocated: "thin" only
// means that no more are allocated when the volume grows. It returns INVALID_ARGUMENT, and changes nothing, for
// parameters that the volume does not have, and RESOURCE_EXHAUSTED if the disk lacks the bytes.
func (c *controller) modifyVolume(ctx context.Context, r *csi.ControllerModifyVolumeRequest) (*csi.ControllerModifyVolumeResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	v, err := c.findUsableVolume(r.GetVolumeId())
	if err != nil {
		return nil, err
	}
	if len(r.GetMutableParameters()) == 0 {
		return nil, status.Error(codes.InvalidArgument, "mutable_parameters is required and was empty")
	}
	allocated, err := parseMutable(r.GetMutableParameters(), kindOf(v.ID), v.Allocated)
	if err != nil {
		return nil, err
	}
	if allocated == v.Allocated {
		return &csi.ControllerModifyVolumeResponse{}, nil
	}
	v.Allocated = allocated
	// The record is written afterwards: it does no harm if a volume recorded as thin is allocated, and a repeated call
	// finishes the work.
	if err := c.volumes.Resize(ctx, v.ID, sizeOf(v)); err != nil {
		return nil, failureToTake(fmt.Errorf("allocating volume %q: %w", v.ID, err))
	}
	if err := c.store.Put(v); err != nil {
		return nil, failureToTake(err)
	}
	return &csi.ControllerModifyVolumeResponse{}, nil
}
