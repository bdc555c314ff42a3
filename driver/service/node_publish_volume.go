// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/record/usage"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// NodePublishVolume bind-mounts the staged volume at the target path. It answers a second call for the volume as the
// spec's table requires (NS-13, NS-14). It returns FAILED_PRECONDITION without a staging path (NS-15), and for a
// capability that the kind of volume lacks or that differs from the one the volume was staged with.
func (n *Node) NodePublishVolume(ctx context.Context, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
	// First, because an inline volume has neither a staging path nor an id of ours.
	if err := refuseInline(r.GetVolumeContext()); err != nil {
		return nil, err
	}
	if err := checkPublish(r); err != nil {
		return nil, err
	}
	readOnly, err := n.checkContexts(r.GetPublishContext(), r.GetVolumeContext())
	if err != nil {
		return nil, err
	}
	unlock, err := n.locks.lock(ctx, r.GetVolumeId())
	if err != nil {
		return nil, err
	}
	defer unlock()

	at := usage.At{VolumeID: r.GetVolumeId(), Path: r.GetTargetPath(), Role: usage.Published}
	w := parseCapability(r.GetVolumeCapability(), readOnly || r.GetReadonly())
	known, err := n.admitAgain(ctx, at, w)
	if err != nil {
		return nil, err
	}
	if err := n.admitBeside(ctx, at, w); err != nil {
		return nil, err
	}
	if err := n.admitStaged(ctx, at.VolumeID, r.GetStagingTargetPath(), w); err != nil {
		return nil, err
	}
	err = n.mountAt(ctx, at, w, known, func() error {
		return n.volumes.Publish(ctx, at.VolumeID, r.GetStagingTargetPath(), at.Path, volume.PublishOptions{
			Block:    w.block,
			ReadOnly: w.readOnly,
		})
	})
	if err != nil {
		return nil, err
	}
	return &csi.NodePublishVolumeResponse{}, nil
}

// checkPublish checks the parts of a request that do not depend on the state of the volume.
func checkPublish(r *csi.NodePublishVolumeRequest) error {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return err
	}
	if err := checkPath("target_path", r.GetTargetPath()); err != nil {
		return err
	}
	if err := requireCapability(r.GetVolumeCapability()); err != nil {
		return err
	}
	if r.GetStagingTargetPath() == "" {
		return status.Error(codes.FailedPrecondition, "staging_target_path was empty: stage the volume and name where")
	}
	if err := checkPath("staging_target_path", r.GetStagingTargetPath()); err != nil {
		return err
	}
	if err := checkApart(r.GetStagingTargetPath(), r.GetTargetPath()); err != nil {
		return err
	}
	if err := checkUsable(r.GetVolumeId(), r.GetVolumeCapability(), codes.FailedPrecondition); err != nil {
		return err
	}
	return checkTarget(r.GetTargetPath())
}
