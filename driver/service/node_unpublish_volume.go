// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/record/usage"
)

// NodeUnpublishVolume unmounts and removes the target path (NS-16). It returns OK if the volume is not published there,
// and NOT_FOUND for an unknown volume.
func (n *Node) NodeUnpublishVolume(ctx context.Context, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
	at := usage.At{VolumeID: r.GetVolumeId(), Path: r.GetTargetPath(), Role: usage.Published}
	if err := checkPlace("target_path", at); err != nil {
		return nil, err
	}
	unlock, err := n.locks.lock(ctx, at.VolumeID)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := n.unmountAt(at, func() error { return n.volumes.Unpublish(ctx, at.VolumeID, at.Path) }); err != nil {
		return nil, err
	}
	return &csi.NodeUnpublishVolumeResponse{}, nil
}
