// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"
	"os"
	"path"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// nodeFaults are drivers that are wrong in one way each, in what a node does.
func nodeFaults() map[string]mutation.Fault {
	return map[string]mutation.Fault{
		"knows no staging paths": refuseOnNode(status.Error(codes.NotFound, "the volume is not published there"), func(r *nodeExpandRequest) bool {
			return r.GetVolumePath() == r.GetStagingTargetPath()
		}),
		"knows no target paths": refuseOnNode(status.Error(codes.NotFound, "the volume is not staged there"), func(r *nodeExpandRequest) bool {
			return r.GetStagingTargetPath() != "" && r.GetVolumePath() != r.GetStagingTargetPath()
		}),
		"answers with the old size": mutation.Answering(func(_ *nodeExpandRequest, response *nodeExpandResponse) {
			response.CapacityBytes = size
		}),
		"says no size": mutation.On(func(ctx context.Context, right mutation.Right, r *nodeExpandRequest) (*nodeExpandResponse, error) {
			_, err := right.NodeExpandVolume(ctx, r)
			return &nodeExpandResponse{}, err
		}),
		"says OK, and does nothing": mutation.On(func(ctx context.Context, right mutation.Right, r *nodeExpandRequest) (*nodeExpandResponse, error) {
			small, err := right.NodeGetVolumeStats(ctx, &csi.NodeGetVolumeStatsRequest{VolumeId: r.GetVolumeId(), VolumePath: r.GetVolumePath()})
			if err != nil || small.GetUsage()[0].GetTotal() >= r.GetCapacityRange().GetRequiredBytes() {
				return right.NodeExpandVolume(ctx, r)
			}
			return &nodeExpandResponse{}, nil
		}),
		"cannot grow in use": mutation.On(func(ctx context.Context, right mutation.Right, r *nodeExpandRequest) (*nodeExpandResponse, error) {
			if _, err := right.NodeExpandVolume(ctx, r); err != nil {
				return nil, err
			}
			return nil, status.Error(codes.FailedPrecondition, "the file system does not grow while it is mounted")
		}),
		"cannot grow in use, and says INTERNAL": mutation.On(func(ctx context.Context, right mutation.Right, r *nodeExpandRequest) (*nodeExpandResponse, error) {
			if _, err := right.NodeExpandVolume(ctx, r); err != nil {
				return nil, err
			}
			return nil, status.Error(codes.Internal, "the file system does not grow while it is mounted")
		}),
		"refuses to grow in use without a message": mutation.On(func(ctx context.Context, right mutation.Right, r *nodeExpandRequest) (*nodeExpandResponse, error) {
			if _, err := right.NodeExpandVolume(ctx, r); err != nil {
				return nil, err
			}
			return nil, status.Error(codes.FailedPrecondition, "")
		}),
		"a repeated growth is an error": nodeRefusesRepeats(),
		"formats the volume again": mutation.Ending(func(r *nodeExpandRequest, response *nodeExpandResponse, err error) (*nodeExpandResponse, error) {
			if err != nil {
				return nil, err
			}
			if r.GetVolumeCapability().GetBlock() != nil {
				return response, os.Truncate(r.GetVolumePath(), 0)
			}
			return response, os.RemoveAll(path.Join(r.GetVolumePath(), "csi-topo"))
		}),
		"is stuck once a call was cut short": nodeIsStuck(),
		"answers another size again":         nodeAnswersMoreAgain(),
		"shrinks": mutation.Ending(func(r *nodeExpandRequest, response *nodeExpandResponse, err error) (*nodeExpandResponse, error) {
			if required := r.GetCapacityRange().GetRequiredBytes(); err == nil && required > 0 {
				response.CapacityBytes = required
			}
			return response, err
		}),
		"shrinks, and says nothing": nodeShrinks(),
		"a smaller size is out of range": refuseOnNode(status.Error(codes.OutOfRange, "a volume does not shrink"), func(r *nodeExpandRequest) bool {
			return r.GetCapacityRange().GetRequiredBytes() == size
		}),
		"needs capacity_range": refuseOnNode(status.Error(codes.InvalidArgument, "capacity_range is missing"), func(r *nodeExpandRequest) bool {
			return r.GetCapacityRange() == nil
		}),
		"takes no limit_bytes": refuseOnNode(status.Error(codes.OutOfRange, "the size is not that of the limit"), func(r *nodeExpandRequest) bool {
			return r.GetCapacityRange().GetLimitBytes() > 0
		}),
		"needs staging_target_path": refuseOnNode(status.Error(codes.InvalidArgument, "staging_target_path is missing"), func(r *nodeExpandRequest) bool {
			return r.GetStagingTargetPath() == ""
		}),
		"needs volume_capability": refuseOnNode(status.Error(codes.InvalidArgument, "volume_capability is missing"), func(r *nodeExpandRequest) bool {
			return r.GetVolumeCapability() == nil
		}),
		"ignores volume_capability": askNode(func(r *nodeExpandRequest) { r.VolumeCapability = nil }),
		"takes no paths of 128 bytes": refuseOnNode(status.Error(codes.InvalidArgument, "a path is too long"), func(r *nodeExpandRequest) bool {
			return len(r.GetVolumePath()) >= 128
		}),
		"takes no paths of 256 bytes": refuseOnNode(status.Error(codes.InvalidArgument, "a path is too long"), func(r *nodeExpandRequest) bool {
			return len(r.GetVolumePath()) > 255
		}),
		"does not grow block volumes": refuseOnNode(status.Error(codes.Internal, "resize2fs: bad magic number"), func(r *nodeExpandRequest) bool {
			return r.GetVolumeCapability().GetBlock() != nil
		}),
		"OK to what is invalid":                   nodeWhenRefused(codes.InvalidArgument, nodeAgree),
		"INTERNAL to what is invalid":             nodeWhenRefused(codes.InvalidArgument, nodeAnswerInternal),
		"OK for a volume that is not on the node": nodeWhenRefused(codes.NotFound, nodeAgree),
		"INTERNAL for a volume that is not on the node": nodeWhenRefused(codes.NotFound,
			nodeAnswerInternal),
		"a plain error for a volume that is not on the node": nodeWhenRefused(codes.NotFound, func(_ *nodeExpandRequest, refused error) (*nodeExpandResponse, error) {
			return nil, status.Error(codes.Unknown, status.Convert(refused).Message())
		}),
		"OK to more than the volume has":       nodeWhenRefused(codes.OutOfRange, nodeAgree),
		"INTERNAL to more than the volume has": nodeWhenRefused(codes.OutOfRange, nodeAnswerInternal),
		"UNAVAILABLE to more than the volume has": nodeWhenRefused(codes.OutOfRange, func(*nodeExpandRequest, error) (*nodeExpandResponse, error) {
			return nil, status.Error(codes.Unavailable, "the device has not grown yet")
		}),
	}
}

func nodeRefusesRepeats() mutation.Fault {
	var seen sync.Map
	return mutation.Ending(func(r *nodeExpandRequest, response *nodeExpandResponse, err error) (*nodeExpandResponse, error) {
		if _, again := seen.LoadOrStore(r.GetVolumeId(), err == nil); again && r.GetCapacityRange().GetRequiredBytes() == grown {
			return nil, status.Error(codes.Internal, "the volume has that size")
		}
		return response, err
	})
}

// nodeIsStuck answers INTERNAL for a volume once a call for it was given up.
func nodeIsStuck() mutation.Fault {
	var stuck sync.Map
	return mutation.On(func(ctx context.Context, right mutation.Right, r *nodeExpandRequest) (*nodeExpandResponse, error) {
		if cutShort(ctx, &stuck, r.GetVolumeId()) {
			return nil, status.Error(codes.Internal, "the volume is being resized")
		}
		return right.NodeExpandVolume(ctx, r)
	})
}

func nodeAnswersMoreAgain() mutation.Fault {
	var seen sync.Map
	return mutation.Ending(func(r *nodeExpandRequest, response *nodeExpandResponse, err error) (*nodeExpandResponse, error) {
		if _, again := seen.LoadOrStore(r.GetVolumeId(), err == nil); again && err == nil {
			response.CapacityBytes++
		}
		return response, err
	})
}

// nodeShrinks reports what was required last as the size of the file system.
func nodeShrinks() mutation.Fault {
	var last sync.Map
	return mutation.On(func(ctx context.Context, right mutation.Right, r *nodeExpandRequest) (*nodeExpandResponse, error) {
		_, err := right.NodeExpandVolume(ctx, r)
		last.Store(r.GetVolumeId(), r.GetCapacityRange().GetRequiredBytes())
		return &nodeExpandResponse{}, err
	}).And(mutation.Ending(func(r *csi.NodeGetVolumeStatsRequest, response *csi.NodeGetVolumeStatsResponse, err error) (*csi.NodeGetVolumeStatsResponse, error) {
		if bytes, found := last.Load(r.GetVolumeId()); found && err == nil {
			response.GetUsage()[0].Total = bytes.(int64)
		}
		return response, err
	}))
}
