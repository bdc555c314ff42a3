// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// unpublishVolume ends the publication on the node, or on every node if none is named (CU-10, CU-11). It returns OK for a
// volume that is not published there or does not exist, and for a node that no longer exists (CU-06, CU-07).
func (c *controller) unpublishVolume(_ context.Context, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	v, err := c.findVolume(r.GetVolumeId())
	if status.Code(err) == codes.NotFound {
		return &csi.ControllerUnpublishVolumeResponse{}, nil
	}
	if err != nil {
		return nil, err
	}
	publications, err := c.store.Publications(v.ID)
	if err != nil {
		return nil, failure(err)
	}
	for _, present := range publications {
		if r.GetNodeId() != "" && r.GetNodeId() != present.NodeID {
			continue
		}
		if err := c.store.Unpublish(v.ID, present.NodeID); err != nil {
			return nil, failure(err)
		}
	}
	return &csi.ControllerUnpublishVolumeResponse{}, nil
}
