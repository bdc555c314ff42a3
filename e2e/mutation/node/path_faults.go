// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// makesNoTarget makes a driver that binds volumes to nothing.
func makesNoTarget() mutation.Fault {
	return mutation.Ending(func(r *publishRequest, response *publishResponse, err error) (*publishResponse, error) {
		if err == nil {
			err = os.Remove(r.GetTargetPath())
		}
		return response, err
	})
}

// mountsNothing makes a driver whose target paths are directories and files of the node.
func mountsNothing() mutation.Fault {
	return mutation.Ending(func(r *publishRequest, response *publishResponse, err error) (*publishResponse, error) {
		if _, lost := os.Lstat(r.GetTargetPath()); err == nil && lost == nil {
			err = errors.Join(os.RemoveAll(r.GetTargetPath()), makePlain(r.GetTargetPath(), r.GetVolumeCapability().GetBlock() != nil))
		}
		return response, err
	}).And(mutation.Checking(func(r *unpublishRequest) error {
		if r.GetTargetPath() != "" {
			if err := os.RemoveAll(r.GetTargetPath()); err != nil {
				return err
			}
		}
		return nil
	}))
}

// placesDirectory makes a driver that publishes a block volume as a directory.
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

func ignoresReadOnly() mutation.Fault {
	return mutation.Asking(func(r *publishRequest) { r.Readonly = false })
}

// ignoresReadOnlyBeside makes a driver that publishes a volume for writing where it is published at another path.
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

// forgetsStaging makes a driver that remembers of a volume that is staged only how it was last asked for.
func forgetsStaging() mutation.Fault {
	forgotten := map[string]bool{}
	return mutation.Ending(func(r *stageRequest, response *stageResponse, err error) (*stageResponse, error) {
		if status.Code(err) == codes.AlreadyExists {
			forgotten[r.GetVolumeId()] = true
		}
		return response, err
	}).And(mutation.Ending(func(r *publishRequest, response *publishResponse, err error) (*publishResponse, error) {
		if forgotten[r.GetVolumeId()] && strings.Contains(status.Convert(err).Message(), "publish it as it is staged") {
			return &publishResponse{}, nil
		}
		return response, err
	}))
}

// onePath makes a driver that has no volume at two paths.
func onePath() mutation.Fault {
	first := map[string]string{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *publishRequest) (*publishResponse, error) {
		if path := first[r.GetVolumeId()]; path != "" && path != r.GetTargetPath() {
			return nil, status.Errorf(codes.FailedPrecondition, "the volume is at %s", path)
		}
		response, err := right.NodePublishVolume(ctx, r)
		if err == nil {
			first[r.GetVolumeId()] = r.GetTargetPath()
		}
		return response, err
	}).And(mutation.Ending(func(r *unpublishRequest, response *unpublishResponse, err error) (*unpublishResponse, error) {
		if err == nil {
			delete(first, r.GetVolumeId())
		}
		return response, err
	}))
}

// keepsPath makes a driver that publishes a volume of one writer at the path where it was first, for ever.
func keepsPath() mutation.Fault {
	first := map[string]string{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *publishRequest) (*publishResponse, error) {
		writer := r.GetVolumeCapability().GetAccessMode().GetMode() == csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
		if path := first[r.GetVolumeId()]; writer && path != "" && path != r.GetTargetPath() {
			return nil, status.Errorf(codes.FailedPrecondition, "the volume is at %s", path)
		}
		response, err := right.NodePublishVolume(ctx, r)
		if err == nil {
			first[r.GetVolumeId()] = r.GetTargetPath()
		}
		return response, err
	})
}

// stacks makes a driver that mounts a volume over what is at its path, and takes one mount away at a time.
func stacks[Do interface {
	proto.Message
	GetVolumeId() string
}, Done proto.Message, Undo interface {
	proto.Message
	GetVolumeId() string
}](path func(Do) string, pathOfUndo func(Undo) string) mutation.Fault {
	var mu sync.Mutex
	mounts := map[at]int{}
	return mutation.Ending(func(r Do, response Done, err error) (Done, error) {
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			mounts[at{r.GetVolumeId(), path(r)}]++
		}
		return response, err
	}).And(mutation.RefusingSome(codes.Unknown, "device or resource busy", func(r Undo) bool {
		mu.Lock()
		defer mu.Unlock()
		one := at{r.GetVolumeId(), pathOfUndo(r)}
		mounts[one]--
		return mounts[one] > 0
	}))
}
