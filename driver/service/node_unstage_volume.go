// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/record/usage"
)

// NodeUnstageVolume unmounts the volume from its staging path (NS-06). It returns OK if the volume is not staged there
// (NS-09), and NOT_FOUND for an unknown volume (NS-10).
func (n *Node) NodeUnstageVolume(ctx context.Context, r *csi.NodeUnstageVolumeRequest) (*csi.NodeUnstageVolumeResponse, error) {
	at := usage.At{VolumeID: r.GetVolumeId(), Path: r.GetStagingTargetPath(), Role: usage.Staged}
	if err := checkPlace("staging_target_path", at); err != nil {
		return nil, err
	}
	unlock, err := n.locks.lock(ctx, at.VolumeID)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := n.unmountAt(at, func() error { return n.volumes.Unstage(ctx, at.VolumeID, at.Path) }); err != nil {
		return nil, err
	}
	return &csi.NodeUnstageVolumeResponse{}, nil
}

// checkPlace checks all fields of a request to unstage or unpublish a volume.
func checkPlace(field string, at usage.At) error {
	if err := checkVolumeID(at.VolumeID); err != nil {
		return err
	}
	if err := checkPath(field, at.Path); err != nil {
		return err
	}
	if err := requireOurs(at.VolumeID); err != nil {
		return err
	}
	return checkNoLink(field, at.Path)
}
