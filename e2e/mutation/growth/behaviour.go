// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

type (
	expandRequest      = csi.ControllerExpandVolumeRequest
	expandResponse     = csi.ControllerExpandVolumeResponse
	nodeExpandRequest  = csi.NodeExpandVolumeRequest
	nodeExpandResponse = csi.NodeExpandVolumeResponse
)

// whenTooMuch is like mutation.InsteadOf, for a growth for which there is no room, or which is beyond the largest size.
func whenTooMuch(instead func(ctx context.Context, right mutation.Right, r *expandRequest, refused error) (*expandResponse, error)) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
		response, err := right.ControllerExpandVolume(ctx, r)
		beyond := status.Code(err) == codes.OutOfRange && r.GetCapacityRange().GetLimitBytes() == 0
		if beyond || status.Code(err) == codes.ResourceExhausted {
			return instead(ctx, right, r, err)
		}
		return response, err
	})
}

// agree answers as if the volume had grown.
func agree(_ context.Context, _ mutation.Right, r *expandRequest, _ error) (*expandResponse, error) {
	return &expandResponse{CapacityBytes: max(r.GetCapacityRange().GetRequiredBytes(), 1)}, nil
}

// nodeAgree answers as if the volume had grown on the node.
func nodeAgree(_ context.Context, _ mutation.Right, r *nodeExpandRequest, _ error) (*nodeExpandResponse, error) {
	return &nodeExpandResponse{CapacityBytes: r.GetCapacityRange().GetRequiredBytes()}, nil
}

// sizeOf returns the size in bytes that the correct driver reports.
func sizeOf(ctx context.Context, right mutation.Right, id string) (int64, error) {
	response, err := right.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: id})
	return response.GetVolume().GetCapacityBytes(), err
}

// published reports whether the volume is published to a node.
func published(ctx context.Context, right mutation.Right, id string) bool {
	response, err := right.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: id})
	return err == nil && len(response.GetStatus().GetPublishedNodeIds()) > 0
}

// grownBefore returns a function that reports whether it was called for the volume before.
func grownBefore() func(ctx context.Context, right mutation.Right, id string) bool {
	var volumes sync.Map
	return func(_ context.Context, _ mutation.Right, id string) bool {
		_, again := volumes.LoadOrStore(id, true)
		return again
	}
}

// roundsUp makes a driver that grows volumes in a state by whole mebibytes, regardless of the limit.
func roundsUp(in func(ctx context.Context, right mutation.Right, id string) bool) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
		if odd := r.GetCapacityRange().GetRequiredBytes() % mib; in(ctx, right, r.GetVolumeId()) && odd > 0 {
			r.CapacityRange = &csi.CapacityRange{RequiredBytes: r.GetCapacityRange().GetRequiredBytes() - odd + mib}
		}
		return right.ControllerExpandVolume(ctx, r)
	})
}

func listsOldSizes() mutation.Fault {
	var sizes sync.Map
	return mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
		sizes.LoadOrStore(v.GetVolumeId(), v.GetCapacityBytes())
	}).And(mutation.ListingEntries(func(entry *csi.ListVolumesResponse_Entry) {
		if bytes, found := sizes.Load(entry.GetVolume().GetVolumeId()); found {
			entry.Volume.CapacityBytes = bytes.(int64)
		}
	}))
}
