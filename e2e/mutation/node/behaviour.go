// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// at is a volume at a path.
type at struct{ volume, path string }

// call is one of the right driver's calls, as its client has it.
type call[Request, Response any] = func(ctx context.Context, request Request, opts ...grpc.CallOption) (Response, error)

// changed makes a driver that does as right does, and then has it another way.
func changed[Request, Response proto.Message](rpc func(mutation.Right) call[Request, Response], change func(r Request, response Response, err error) (Response, error)) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r Request) (Response, error) {
		response, err := rpc(right)(ctx, r)
		return change(r, response, err)
	})
}

// refusesWith makes a driver that refuses a call with another code: OK for not at all.
func refusesWith[Request, Response proto.Message](other codes.Code, insteadOf codes.Code, because string, rpc func(mutation.Right) call[Request, Response]) mutation.Fault {
	return changed(rpc, func(_ Request, response Response, err error) (Response, error) {
		if failed := status.Convert(err); failed.Code() == insteadOf && strings.Contains(failed.Message(), because) {
			var empty Response
			return empty.ProtoReflect().New().Interface().(Response), status.Error(other, failed.Message())
		}
		return response, err
	})
}

// answers makes a driver that answers something else than it does.
func answers[Request, Response proto.Message](rpc func(mutation.Right) call[Request, Response], change func(Response)) mutation.Fault {
	return changed(rpc, func(_ Request, response Response, err error) (Response, error) {
		if err == nil {
			change(response)
		}
		return response, err
	})
}

func info(right mutation.Right) call[*csi.NodeGetInfoRequest, *csi.NodeGetInfoResponse] {
	return right.NodeGetInfo
}

func capabilities(right mutation.Right) call[*csi.NodeGetCapabilitiesRequest, *csi.NodeGetCapabilitiesResponse] {
	return right.NodeGetCapabilities
}

func staging(right mutation.Right) call[*csi.NodeStageVolumeRequest, *csi.NodeStageVolumeResponse] {
	return right.NodeStageVolume
}

func unstaging(right mutation.Right) call[*csi.NodeUnstageVolumeRequest, *csi.NodeUnstageVolumeResponse] {
	return right.NodeUnstageVolume
}

func publishing(right mutation.Right) call[*csi.NodePublishVolumeRequest, *csi.NodePublishVolumeResponse] {
	return right.NodePublishVolume
}

func unpublishing(right mutation.Right) call[*csi.NodeUnpublishVolumeRequest, *csi.NodeUnpublishVolumeResponse] {
	return right.NodeUnpublishVolume
}

func stats(right mutation.Right) call[*csi.NodeGetVolumeStatsRequest, *csi.NodeGetVolumeStatsResponse] {
	return right.NodeGetVolumeStats
}

func volumeHealth(right mutation.Right) call[*csi.NodeGetVolumeHealthRequest, *csi.NodeGetVolumeHealthResponse] {
	return right.NodeGetVolumeHealth
}

func storageHealth(right mutation.Right) call[*csi.NodeGetStorageHealthRequest, *csi.NodeGetStorageHealthResponse] {
	return right.NodeGetStorageHealth
}

// onNode4 makes a driver of which one node, the last, says something else of itself.
func onNode4(change func(*csi.NodeGetInfoResponse)) mutation.Fault {
	return answers(info, func(response *csi.NodeGetInfoResponse) {
		if response.GetNodeId() == "node-4" {
			change(response)
		}
	})
}

// usageOf makes a driver that says something else of what is used of a volume.
func usageOf(change func(*csi.VolumeUsage)) mutation.Fault {
	return answers(stats, func(response *csi.NodeGetVolumeStatsResponse) {
		for _, usage := range response.GetUsage() {
			if usage.GetUnit() == csi.VolumeUsage_BYTES {
				change(usage)
			}
		}
	})
}

// once refuses what is at a path already, or what is not, as wanted says.
type once map[at]bool

func (o once) published() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
		if o[at{r.GetVolumeId(), r.GetTargetPath()}] {
			return nil, status.Error(codes.AlreadyExists, "the volume is there")
		}
		response, err := right.NodePublishVolume(ctx, r)
		o[at{r.GetVolumeId(), r.GetTargetPath()}] = err == nil
		return response, err
	})
}

func (o once) staged() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeStageVolumeRequest) (*csi.NodeStageVolumeResponse, error) {
		if o[at{r.GetVolumeId(), r.GetStagingTargetPath()}] {
			return nil, status.Error(codes.AlreadyExists, "the volume is there")
		}
		response, err := right.NodeStageVolume(ctx, r)
		o[at{r.GetVolumeId(), r.GetStagingTargetPath()}] = err == nil
		return response, err
	})
}

func (o once) unpublished() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
		if o[at{r.GetVolumeId(), r.GetTargetPath()}] {
			return nil, status.Error(codes.NotFound, "the volume is not there")
		}
		response, err := right.NodeUnpublishVolume(ctx, r)
		o[at{r.GetVolumeId(), r.GetTargetPath()}] = err == nil
		return response, err
	})
}

func (o once) unstaged() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeUnstageVolumeRequest) (*csi.NodeUnstageVolumeResponse, error) {
		if o[at{r.GetVolumeId(), r.GetStagingTargetPath()}] {
			return nil, status.Error(codes.NotFound, "the volume is not there")
		}
		response, err := right.NodeUnstageVolume(ctx, r)
		o[at{r.GetVolumeId(), r.GetStagingTargetPath()}] = err == nil
		return response, err
	})
}
