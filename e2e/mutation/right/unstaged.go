// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// unstaged simulates a driver whose nodes publish volumes without staging them. Behind it, each publication is
// staged in a separate directory.
type unstaged struct {
	dir string
}

// keep records where the driver has its files.
func (u *unstaged) keep(o *embedded.Options) { u.dir = filepath.Join(o.Dir, "staged") }

func (u *unstaged) fault() mutation.Fault {
	return mutation.Lacking(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME).And(mutation.On(u.publish)).And(mutation.On(u.unpublish))
}

// at returns the staging path of a publication.
func (u *unstaged) at(target string) string {
	sum := sha256.Sum256([]byte(target))
	return filepath.Join(u.dir, hex.EncodeToString(sum[:8]))
}

func (u *unstaged) publish(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
	if r.GetTargetPath() == "" {
		return nil, status.Error(codes.InvalidArgument, "target_path is required and was empty")
	}
	r.StagingTargetPath = u.at(r.GetTargetPath())
	if err := os.MkdirAll(r.GetStagingTargetPath(), 0o700); err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	if _, err := right.NodeStageVolume(ctx, &csi.NodeStageVolumeRequest{
		VolumeId: r.GetVolumeId(), PublishContext: r.GetPublishContext(), StagingTargetPath: r.GetStagingTargetPath(),
		VolumeCapability: r.GetVolumeCapability(), VolumeContext: r.GetVolumeContext(),
	}); err != nil {
		return nil, err
	}
	return right.NodePublishVolume(ctx, r)
}

func (u *unstaged) unpublish(ctx context.Context, right mutation.Right, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
	response, err := right.NodeUnpublishVolume(ctx, r)
	if err != nil {
		return nil, err
	}
	_, err = right.NodeUnstageVolume(ctx, &csi.NodeUnstageVolumeRequest{VolumeId: r.GetVolumeId(), StagingTargetPath: u.at(r.GetTargetPath())})
	return response, err
}
