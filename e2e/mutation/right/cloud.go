// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// cloud simulates a driver that does not check how a volume is already attached or published.
type cloud struct {
	mu       sync.Mutex
	attached map[attachment]*csi.ControllerPublishVolumeResponse
}

func (c *cloud) fault() mutation.Fault {
	c.attached = map[attachment]*csi.ControllerPublishVolumeResponse{}
	return mutation.On(c.attach).And(mutation.On(c.stage)).
		And(mutation.Recoding[*csi.NodePublishVolumeRequest](codes.AlreadyExists, codes.OK))
}

func (c *cloud) attach(ctx context.Context, right mutation.Right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
	response, err := right.ControllerPublishVolume(ctx, r)
	c.mu.Lock()
	defer c.mu.Unlock()
	at := attachment{r.GetVolumeId(), r.GetNodeId()}
	switch {
	case err == nil:
		c.attached[at] = response
	case status.Code(err) == codes.AlreadyExists:
		return c.attached[at], nil
	}
	return response, err
}

// stage does nothing for a block device, which is published from where it is attached.
func (c *cloud) stage(ctx context.Context, right mutation.Right, r *csi.NodeStageVolumeRequest) (*csi.NodeStageVolumeResponse, error) {
	response, err := right.NodeStageVolume(ctx, r)
	if r.GetVolumeCapability().GetBlock() != nil && err != nil && status.Code(err) != codes.InvalidArgument {
		return &csi.NodeStageVolumeResponse{}, nil
	}
	return response, err
}
