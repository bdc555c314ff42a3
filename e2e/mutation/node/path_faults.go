// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"errors"
	"os"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// mountsNothing makes a driver whose target paths are plain directories and files of the node.
func mountsNothing() mutation.Fault {
	return mutation.Ending(func(r *publishRequest, response *publishResponse, err error) (*publishResponse, error) {
		if _, lost := os.Lstat(r.GetTargetPath()); err == nil && lost == nil {
			err = errors.Join(os.RemoveAll(r.GetTargetPath()), makePlain(r.GetTargetPath(), r.GetVolumeCapability().GetBlock() != nil))
		}
		return response, err
	}).And(mutation.Checking(func(r *unpublishRequest) error { return os.RemoveAll(r.GetTargetPath()) }))
}

func placesDirectory() mutation.Fault {
	var placed sync.Map
	return mutation.Ending(func(r *publishRequest, response *publishResponse, err error) (*publishResponse, error) {
		if err == nil && r.GetVolumeCapability().GetBlock() != nil {
			placed.Store(r.GetTargetPath(), true)
			err = errors.Join(os.RemoveAll(r.GetTargetPath()), makePlain(r.GetTargetPath(), false))
		}
		return response, err
	}).And(mutation.Checking(func(r *unpublishRequest) error {
		if _, found := placed.Load(r.GetTargetPath()); found {
			return os.RemoveAll(r.GetTargetPath())
		}
		return nil
	}))
}

func makePlain(path string, file bool) error {
	if file {
		return os.WriteFile(path, nil, 0o600)
	}
	return os.Mkdir(path, 0o700)
}

// leavesTarget makes a driver that leaves a directory where volumes were.
func leavesTarget() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *unpublishRequest) (*unpublishResponse, error) {
		_, none := os.Lstat(r.GetTargetPath())
		response, err := right.NodeUnpublishVolume(ctx, r)
		if err == nil && none == nil {
			err = os.Mkdir(r.GetTargetPath(), 0o700)
		}
		return response, err
	})
}

func leavesReadOnlyTarget() mutation.Fault {
	var readers sync.Map // by path
	leaves := leavesTarget()
	return mutation.On(func(ctx context.Context, right mutation.Right, r *publishRequest) (*publishResponse, error) {
		if r.GetReadonly() {
			readers.Store(r.GetTargetPath(), true)
		}
		return right.NodePublishVolume(ctx, r)
	}).And(mutation.Where(func(r *unpublishRequest) bool { _, is := readers.Load(r.GetTargetPath()); return is }, leaves))
}

func ignoresReadOnly() mutation.Fault {
	return mutation.Asking(func(r *publishRequest) { r.Readonly = false })
}

func ignoresReadOnlyBeside() mutation.Fault {
	first := map[string]string{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *publishRequest) (*publishResponse, error) {
		if path := first[r.GetVolumeId()]; path != "" && path != r.GetTargetPath() {
			r.Readonly = false
		}
		response, err := right.NodePublishVolume(ctx, r)
		if err == nil && first[r.GetVolumeId()] == "" {
			first[r.GetVolumeId()] = r.GetTargetPath()
		}
		return response, err
	})
}

// forgetsStaging makes a driver that remembers only the last request for a staged volume.
func forgetsStaging() mutation.Fault {
	forgotten := map[string]bool{}
	return passing(codes.OK, func(s *states, r *publishRequest) bool { return forgotten[r.GetVolumeId()] && s.isStagedOtherwise(r) }).
		Over(mutation.InsteadOf(codes.AlreadyExists, func(_ context.Context, _ mutation.Right, r *stageRequest, refused error) (*stageResponse, error) {
			forgotten[r.GetVolumeId()] = true
			return nil, refused
		}))
}

// atFirstPath makes a driver that refuses some publications of a volume which it has published at another path.
func atFirstPath(first map[string]string, some func(*publishRequest) bool) mutation.Fault {
	return mutation.RefusingSome(codes.FailedPrecondition, "the volume is at another path", func(r *publishRequest) bool {
		return some(r) && first[r.GetVolumeId()] != "" && first[r.GetVolumeId()] != r.GetTargetPath()
	}).Over(mutation.OnOK(func(r *publishRequest) { first[r.GetVolumeId()] = r.GetTargetPath() }))
}

func onePath() mutation.Fault {
	first := map[string]string{}
	return atFirstPath(first, func(*publishRequest) bool { return true }).
		And(mutation.OnOK(func(r *unpublishRequest) { delete(first, r.GetVolumeId()) }))
}

// stacks makes a driver that mounts a volume over an earlier mount at its path, and removes one mount at a time.
func stacks[Do interface {
	proto.Message
	GetVolumeId() string
}, Undo interface {
	proto.Message
	GetVolumeId() string
}](path func(Do) string, pathOfUndo func(Undo) string) mutation.Fault {
	mounts := map[at]int{}
	return mutation.OnOK(func(r Do) { mounts[at{r.GetVolumeId(), path(r)}]++ }).And(mutation.RefusingSome(codes.Unknown, "device or resource busy", func(r Undo) bool {
		one := at{r.GetVolumeId(), pathOfUndo(r)}
		mounts[one]--
		return mounts[one] > 0
	}))
}

func namesPublished() mutation.Fault {
	var published sync.Map // by target path
	return mutation.Answering(func(r *csi.NodeGetVolumeHealthRequest, response *csi.NodeGetVolumeHealthResponse) {
		if _, is := published.Load(r.GetVolumePublishPath()); !is && response.GetVolumeHealth() != nil {
			response.VolumeHealth.VolumeId = ""
		}
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
		published.Store(r.GetTargetPath(), true)
		return right.NodePublishVolume(ctx, r)
	})).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
		published.Delete(r.GetTargetPath())
		return right.NodeUnpublishVolume(ctx, r)
	}))
}

// forgettingFaults returns drivers that forget their answers: NodeUnpublishVolume undoes more than NodePublishVolume did,
// and NodeStageVolume refuses capabilities that CreateVolume accepted.
func forgettingFaults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"removes the volume in NodeUnpublishVolume": mutation.Wrong(removesUnpublished(),
			mutation.Fails("publish_keeps_data publish_block_keeps_data", "NS-06 NS-16"),
			mutation.Errs("publish_read_only publish_read_only_protects publish_staged_for_reading publish_after_refused_staging unstage_leaves_neighbour")).Seen("csi-driver-lvm 14db8f3"),
		// Clean-up unpublishes a volume that does not exist: its failure does not change the finding of the case.
		"publishes what does not exist, and INTERNAL for unpublishing it": mutation.Wrong(
			mutation.Recoding[*publishRequest](codes.NotFound, codes.OK).And(mutation.Recoding[*unpublishRequest](codes.NotFound, codes.Internal)),
			mutation.Warns("publish_unknown_volume", "NS-24"), mutation.Fails("unpublish_unknown_volume", "NS-28")),
		"does not stage for readers": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "this node has writers only", func(r *stageRequest) bool {
				return r.GetVolumeCapability().GetAccessMode().GetMode() == csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY
			}),
			mutation.Fails("publish_staged_for_reading publish_after_refused_staging", "CV-14")).Seen("exoscale-csi-driver v0.34.3"),
	}
}

func removesUnpublished() mutation.Fault {
	var removed sync.Map
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		switch r := call.Request.(type) {
		case *unpublishRequest:
			removed.Store(r.GetVolumeId(), true)
		case *stageRequest:
			if _, gone := removed.Load(r.GetVolumeId()); gone {
				return nil, status.Error(codes.Internal, "the volume is no block device")
			}
		}
		return call.Perform(ctx)
	})
}
