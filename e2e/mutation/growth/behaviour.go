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

// onController makes a driver with another ControllerExpandVolume, and onNode one with another NodeExpandVolume.
func onController(grow func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error)) mutation.Fault {
	return mutation.On(grow)
}

func onNode(grow func(ctx context.Context, right mutation.Right, r *nodeExpandRequest) (*nodeExpandResponse, error)) mutation.Fault {
	return mutation.On(grow)
}

// askController makes a driver that changes the request before it grows a volume, and askNode one whose node does.
func askController(change func(*expandRequest)) mutation.Fault {
	return onController(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
		change(r)
		return right.ControllerExpandVolume(ctx, r)
	})
}

func askNode(change func(*nodeExpandRequest)) mutation.Fault {
	return onNode(func(ctx context.Context, right mutation.Right, r *nodeExpandRequest) (*nodeExpandResponse, error) {
		change(r)
		return right.NodeExpandVolume(ctx, r)
	})
}

// refuse makes a driver that fails for some growths, and refuseOnNode one whose node does.
func refuse(with error, when func(*expandRequest) bool) mutation.Fault {
	return onController(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
		if when(r) {
			return nil, with
		}
		return right.ControllerExpandVolume(ctx, r)
	})
}

func refuseOnNode(with error, when func(*nodeExpandRequest) bool) mutation.Fault {
	return onNode(func(ctx context.Context, right mutation.Right, r *nodeExpandRequest) (*nodeExpandResponse, error) {
		if when(r) {
			return nil, with
		}
		return right.NodeExpandVolume(ctx, r)
	})
}

// whenRefused makes a driver that does something else instead of failing with the code.
func whenRefused(code codes.Code, instead func(ctx context.Context, right mutation.Right, r *expandRequest, refused error) (*expandResponse, error)) mutation.Fault {
	return onController(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
		response, err := right.ControllerExpandVolume(ctx, r)
		if status.Code(err) == code {
			return instead(ctx, right, r, err)
		}
		return response, err
	})
}

// whenTooMuch is whenRefused for a growth for which there is no room, or which is beyond the largest size.
func whenTooMuch(instead func(ctx context.Context, right mutation.Right, r *expandRequest, refused error) (*expandResponse, error)) mutation.Fault {
	return onController(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
		response, err := right.ControllerExpandVolume(ctx, r)
		beyond := status.Code(err) == codes.OutOfRange && r.GetCapacityRange().GetLimitBytes() == 0
		if beyond || status.Code(err) == codes.ResourceExhausted {
			return instead(ctx, right, r, err)
		}
		return response, err
	})
}

func nodeWhenRefused(code codes.Code, instead func(*nodeExpandRequest, error) (*nodeExpandResponse, error)) mutation.Fault {
	return onNode(func(ctx context.Context, right mutation.Right, r *nodeExpandRequest) (*nodeExpandResponse, error) {
		response, err := right.NodeExpandVolume(ctx, r)
		if status.Code(err) == code {
			return instead(r, err)
		}
		return response, err
	})
}

// agree answers as if the volume had grown.
func agree(_ context.Context, _ mutation.Right, r *expandRequest, _ error) (*expandResponse, error) {
	return &expandResponse{CapacityBytes: max(r.GetCapacityRange().GetRequiredBytes(), 1)}, nil
}

func nodeAgree(r *nodeExpandRequest, _ error) (*nodeExpandResponse, error) {
	return &nodeExpandResponse{CapacityBytes: r.GetCapacityRange().GetRequiredBytes()}, nil
}

// answerInternal answers INTERNAL instead.
func answerInternal(_ context.Context, _ mutation.Right, _ *expandRequest, refused error) (*expandResponse, error) {
	return nil, status.Error(codes.Internal, status.Convert(refused).Message())
}

func nodeAnswerInternal(_ *nodeExpandRequest, refused error) (*nodeExpandResponse, error) {
	return nil, status.Error(codes.Internal, status.Convert(refused).Message())
}

// sizeOf is the size in bytes that the right driver reports.
func sizeOf(ctx context.Context, right mutation.Right, id string) (int64, error) {
	response, err := right.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: id})
	return response.GetVolume().GetCapacityBytes(), err
}

// published reports whether the volume is published to a node.
func published(ctx context.Context, right mutation.Right, id string) bool {
	response, err := right.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: id})
	return err == nil && len(response.GetStatus().GetPublishedNodeIds()) > 0
}

// report makes a driver that changes what ControllerGetVolume and ListVolumes report of a volume.
func report(change func(*csi.Volume)) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerGetVolumeRequest) (*csi.ControllerGetVolumeResponse, error) {
		response, err := right.ControllerGetVolume(ctx, r)
		if err == nil {
			change(response.GetVolume())
		}
		return response, err
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
		response, err := right.ListVolumes(ctx, r)
		for _, entry := range response.GetEntries() {
			change(entry.GetVolume())
		}
		return response, err
	}))
}

// listsOldSizes makes a driver whose lists have the size that a volume was first listed or created with.
func listsOldSizes() mutation.Fault {
	var sizes sync.Map
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		if err == nil {
			sizes.LoadOrStore(response.GetVolume().GetVolumeId(), response.GetVolume().GetCapacityBytes())
		}
		return response, err
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
		response, err := right.ListVolumes(ctx, r)
		for _, entry := range response.GetEntries() {
			if bytes, found := sizes.Load(entry.GetVolume().GetVolumeId()); found {
				entry.Volume.CapacityBytes = bytes.(int64)
			}
		}
		return response, err
	}))
}
