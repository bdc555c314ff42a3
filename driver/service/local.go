// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// LocalNode is the Node service where volumes are local to their node, and served
// by the controller of that node. No controller of another node can be told to grow
// them, so that an expansion of the node does all of it.
type LocalNode struct {
	*Node
	controller *Controller
}

// NewLocalNode joins the two services of one node.
func NewLocalNode(node *Node, controller *Controller) *LocalNode {
	return &LocalNode{Node: node, controller: controller}
}

// NodeExpandVolume takes the bytes from the node's capacity, grows the volume and
// then what is on it. It answers NOT_FOUND for a volume that is not at the path
// (NE-26) before anything grows, and OUT_OF_RANGE where the node lacks the room (NE-28).
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

// outOfRange gives a lack of room the code that a node answers it with: the
// controller's RESOURCE_EXHAUSTED is not one of NodeExpandVolume's codes.
func outOfRange(err error) error {
	if refused := status.Convert(err); refused.Code() == codes.ResourceExhausted {
		return status.Error(codes.OutOfRange, refused.Message())
	}
	return err
}
