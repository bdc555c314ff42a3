// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// LocalNode is the Node service of node-local mode, where volumes are served by the controller of their node. Controllers
// of other nodes cannot grow them, so NodeExpandVolume does all of the expansion.
type LocalNode struct {
	*Node
	controller *Controller
}

// NewLocalNode joins the two services of one node.
func NewLocalNode(node *Node, controller *Controller) *LocalNode {
	return &LocalNode{Node: node, controller: controller}
}

// NodeExpandVolume takes the bytes from the node's capacity, grows the volume, and then does the same as
// Node.NodeExpandVolume. It returns NOT_FOUND, before anything grows, if the volume is not at the path (NE-26), and
// OUT_OF_RANGE if the node lacks the room (NE-28).
func (n *LocalNode) NodeExpandVolume(ctx context.Context, r *csi.NodeExpandVolumeRequest) (*csi.NodeExpandVolumeResponse, error) {
	if _, err := n.NodeGetVolumeStats(ctx, &csi.NodeGetVolumeStatsRequest{VolumeId: r.GetVolumeId(), VolumePath: r.GetVolumePath()}); err != nil {
		return nil, err
	}
	if r.GetCapacityRange() != nil {
		_, err := alone(ctx, n.controller, &csi.ControllerExpandVolumeRequest{
			VolumeId:         r.GetVolumeId(),
			CapacityRange:    r.GetCapacityRange(),
			VolumeCapability: r.GetVolumeCapability(),
		}, n.controller.core.expandVolume)
		if err != nil {
			return nil, outOfRange(err)
		}
	}
	return n.Node.NodeExpandVolume(ctx, r)
}

// outOfRange replaces the controller's RESOURCE_EXHAUSTED, which is not among the codes of NodeExpandVolume, by
// OUT_OF_RANGE.
func outOfRange(err error) error {
	if refused := status.Convert(err); refused.Code() == codes.ResourceExhausted {
		return status.Error(codes.OutOfRange, refused.Message())
	}
	return err
}
