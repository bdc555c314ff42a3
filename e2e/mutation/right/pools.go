// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// pooled returns drivers with more than one pool of room in each segment.
func pooled() []Driver {
	return []Driver{{Name: "devices-from-another-pool",
		Is:     "makes raw block devices from a separate pool, which GetCapacity reports if volume_capabilities is empty",
		Driver: mutation.Driver{Profile: noBlock, Fault: mutation.On(capacityOfFileSystems).And(mutation.On(refuseDevices))}}}
}

// capacityOfFileSystems reports the pool of raw block devices, which is full, unless the request is for file systems.
func capacityOfFileSystems(ctx context.Context, right mutation.Right, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
	response, err := right.GetCapacity(ctx, r)
	if err != nil {
		return nil, err
	}
	mounted := len(r.GetVolumeCapabilities()) > 0
	for _, c := range r.GetVolumeCapabilities() {
		mounted = mounted && c.GetMount() != nil
	}
	if !mounted {
		response.AvailableCapacity, response.MaximumVolumeSize = 0, nil
	}
	return response, nil
}

// refuseDevices refuses raw block devices, for which there is no room.
func refuseDevices(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	response, err := right.CreateVolume(ctx, r)
	for _, c := range r.GetVolumeCapabilities() {
		if err == nil && c.GetBlock() != nil {
			_, _ = right.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: response.GetVolume().GetVolumeId()})
			return nil, status.Error(codes.ResourceExhausted, "the pool of raw block devices is full")
		}
	}
	return response, err
}
