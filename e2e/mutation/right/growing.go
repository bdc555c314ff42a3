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

func growing() []Driver {
	return []Driver{
		{
			Name:   "grows-once-in-hours",
			Is:     "grows a volume once in several hours, like EBS, and answers INTERNAL to any other size until then",
			Driver: mutation.Driver{Profile: disks, Fault: (&cooling{grown: map[string]bool{}}).fault().Over(withoutCapacity())},
		},
		{Name: "grows-offline", Is: "grows only volumes that no node has, as it claims",
			Driver: mutation.Driver{Profile: exactDisks, Fault: mutation.Answering(claimOffline).And(mutation.On(growOffline))}},
		{Name: "grows-on-nodes", Is: "grows volumes only on the nodes that have them, and not in the controller",
			Driver: mutation.Driver{Profile: exactDisks, Fault: (&nodeGrowth{}).fault()}},
	}
}

// cooling refuses to grow a volume again for a while, unless it is large enough.
type cooling struct {
	mu    sync.Mutex
	grown map[string]bool
}

func (c *cooling) fault() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		before := bytesOf(ctx, right, r.GetVolumeId())
		if before > 0 && c.grown[r.GetVolumeId()] && r.GetCapacityRange().GetRequiredBytes() > before {
			return nil, status.Error(codes.Internal, "the volume was modified less than 6 hours ago")
		}
		response, err := right.ControllerExpandVolume(ctx, r)
		if err == nil && response.GetCapacityBytes() > before {
			c.grown[r.GetVolumeId()] = true
		}
		return response, err
	})
}

func bytesOf(ctx context.Context, right mutation.Right, id string) int64 {
	response, err := right.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: id})
	if err != nil {
		return 0
	}
	return response.GetVolume().GetCapacityBytes()
}

func claimOffline(_ *csi.GetPluginCapabilitiesRequest, response *csi.GetPluginCapabilitiesResponse) {
	for _, capability := range response.GetCapabilities() {
		if expansion := capability.GetVolumeExpansion(); expansion != nil {
			expansion.Type = csi.PluginCapability_VolumeExpansion_OFFLINE
		}
	}
}

func growOffline(ctx context.Context, right mutation.Right, r *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, error) {
	response, err := right.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: r.GetVolumeId()})
	if err == nil && len(response.GetStatus().GetPublishedNodeIds()) > 0 {
		return nil, status.Error(codes.FailedPrecondition, "the volume is published: unpublish it first")
	}
	return right.ControllerExpandVolume(ctx, r)
}

// nodeGrowth makes nodes also grow the stored volume.
type nodeGrowth struct {
	mu         sync.Mutex
	controller csi.ControllerClient // once it was called
}

func (o *nodeGrowth) fault() mutation.Fault {
	return mutation.Lacking(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME).And(mutation.On(o.capabilities)).And(mutation.On(o.expand))
}

func (o *nodeGrowth) capabilities(ctx context.Context, right mutation.Right, r *csi.ControllerGetCapabilitiesRequest) (*csi.ControllerGetCapabilitiesResponse, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.controller = right.ControllerClient
	return right.ControllerGetCapabilities(ctx, r)
}

// expand grows the volume as a whole before its file system, if it is on the node.
func (o *nodeGrowth) expand(ctx context.Context, right mutation.Right, r *csi.NodeExpandVolumeRequest) (*csi.NodeExpandVolumeResponse, error) {
	o.mu.Lock()
	controller := o.controller
	o.mu.Unlock()
	asked := r.GetCapacityRange()
	r.CapacityRange = nil
	if _, err := right.NodeExpandVolume(ctx, r); err != nil || asked == nil {
		return &csi.NodeExpandVolumeResponse{}, err
	}
	if _, err := controller.ControllerExpandVolume(ctx, &csi.ControllerExpandVolumeRequest{VolumeId: r.GetVolumeId(), CapacityRange: asked}); err != nil {
		return nil, err
	}
	return right.NodeExpandVolume(ctx, r)
}
