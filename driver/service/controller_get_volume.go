// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// getVolume returns a volume and the nodes it is published on, or NOT_FOUND (LV-13).
func (c *controller) getVolume(_ context.Context, r *csi.ControllerGetVolumeRequest) (*csi.ControllerGetVolumeResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	v, err := c.findVolume(r.GetVolumeId())
	if err != nil {
		return nil, err
	}
	publications, err := c.store.Publications(v.ID)
	if err != nil {
		return nil, failure(err)
	}
	at := &csi.ControllerGetVolumeResponse_VolumeStatus{}
	for _, present := range publications {
		at.PublishedNodeIds = append(at.PublishedNodeIds, present.NodeID)
	}
	return &csi.ControllerGetVolumeResponse{Volume: answer(v), Status: at}, nil
}
