// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"os"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// leavingUntilUndone returns drivers that leave something on a node until the CO undoes its request.
func leavingUntilUndone() []Driver {
	return []Driver{
		{Name: "makes-target-first",
			Is:     "makes the target path before it checks whether it can publish there, like democratic-csi, and removes it in NodeUnpublishVolume",
			Driver: mutation.Driver{Profile: exactDisks, Fault: targetFirst(true)}},
		{Name: "leaves-target-to-kubelet",
			Is:     "makes the target path before it checks whether it can publish there, and forgets it: the kubelet removes it",
			Driver: mutation.Driver{Profile: exactDisks, Fault: targetFirst(false)}},
		{Name: "stages-when-published",
			Is:     "stages a volume in NodePublishVolume if it is not staged, like k8s-csi-s3, and undoes that in NodeUnstageVolume",
			Driver: mutation.Driver{Profile: exactDisks, Fault: mutation.On(stageAndPublish)}},
		{Name: "busy-elsewhere",
			Is:     "answers UNAVAILABLE for a volume that is published to another node until it has asked that node",
			Driver: mutation.Driver{Profile: exactDisks, Fault: (&asking{asked: map[string]int{}}).fault()}},
	}
}

// targetFirst leaves an empty directory at the target path of a publication that it refuses.
func targetFirst(removes bool) mutation.Fault {
	const private = 0o700
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
		response, err := right.NodePublishVolume(ctx, r)
		if err != nil && r.GetTargetPath() != "" {
			_ = os.Mkdir(r.GetTargetPath(), private) // there may be something
		}
		return response, err
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
		response, err := right.NodeUnpublishVolume(ctx, r)
		if removes && r.GetTargetPath() != "" {
			_ = os.Remove(r.GetTargetPath()) // nothing but an empty directory
		}
		return response, err
	}))
}

// stageAndPublish stages a volume at the staging path if it is not staged, and publishes it.
func stageAndPublish(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
	response, err := right.NodePublishVolume(ctx, r)
	if status.Code(err) != codes.FailedPrecondition || r.GetStagingTargetPath() == "" {
		return response, err
	}
	if _, staged := right.NodeStageVolume(ctx, &csi.NodeStageVolumeRequest{
		VolumeId: r.GetVolumeId(), PublishContext: r.GetPublishContext(), StagingTargetPath: r.GetStagingTargetPath(),
		VolumeCapability: r.GetVolumeCapability(), VolumeContext: r.GetVolumeContext(),
	}); staged != nil {
		return nil, err
	}
	return right.NodePublishVolume(ctx, r)
}

// asking simulates a driver that needs a few calls to find out that a volume is in use elsewhere.
type asking struct {
	mu    sync.Mutex
	asked map[string]int
}

func (a *asking) fault() mutation.Fault {
	const calls = 3
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
		response, err := right.ControllerPublishVolume(ctx, r)
		if status.Code(err) != codes.FailedPrecondition {
			return response, err
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.asked[r.GetVolumeId()]++; a.asked[r.GetVolumeId()]%(calls+1) != 0 {
			return nil, status.Error(codes.Unavailable, "the node that has the volume does not answer yet")
		}
		return response, err
	})
}
