// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/absent"
)

// detachFaults are drivers that are wrong in how they take volumes from nodes.
func detachFaults() map[string]mutation.Fault {
	return map[string]mutation.Fault{
		"NOT_FOUND for a volume that is not attached": onNodes(anyway, func(on map[placed]bool, p placed) error {
			for other := range on {
				if other == p || p.node == "" && other.volume == p.volume {
					return nil
				}
			}
			if p.volume == "" {
				return nil
			}
			return status.Error(codes.NotFound, "the volume is not attached")
		}),
		"unpublishes from all nodes whichever is named":                          unpublishesFromAll(),
		"unpublishes from all nodes whichever is named, and claims to list none": unpublishesFromAll().And(mutation.Unclaimed(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES)),
		"unpublishes from all nodes whichever is named, and lists none":          unpublishesFromAll().And(listsNoNodes()),
		"unpublishes from the node that is named only": mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
			if r.GetVolumeId() != "" && r.GetNodeId() == "" {
				return &csi.ControllerUnpublishVolumeResponse{}, nil
			}
			return right.ControllerUnpublishVolume(ctx, r)
		}),
		"unpublishes from one node where it should from all":      unpublishesOne(),
		"unpublishes from the first of several nodes only":        unpublishesFirst(),
		"keeps a volume from other nodes":                         keepsFromOthers(),
		"lists every node that a volume ever was on":              listsEveryNode(),
		"INTERNAL for an unknown volume or node":                  refusesUnknown(codes.Internal),
		"deletes a published volume":                              deletesPublished(),
		"deletes a published volume, and claims to list no nodes": deletesPublished().And(mutation.Unclaimed(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES)),
	}
}

func unpublishesFromAll() mutation.Fault {
	return mutation.Asking(func(r *csi.ControllerUnpublishVolumeRequest) { r.NodeId = "" })
}

// unpublishesFirst makes a driver that looks at no more than the first of a volume's nodes.
func unpublishesFirst() mutation.Fault {
	var mu sync.Mutex
	nodes := map[string][]string{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		on := nodes[r.GetVolumeId()]
		if r.GetNodeId() != "" && len(on) > 1 && on[0] != r.GetNodeId() {
			return &csi.ControllerUnpublishVolumeResponse{}, nil
		}
		response, err := right.ControllerUnpublishVolume(ctx, r)
		if err == nil {
			nodes[r.GetVolumeId()] = slices.DeleteFunc(on, func(node string) bool { return r.GetNodeId() == "" || node == r.GetNodeId() })
		}
		return response, err
	}).And(mutation.Ending(func(r *csi.ControllerPublishVolumeRequest, response *csi.ControllerPublishVolumeResponse, err error) (*csi.ControllerPublishVolumeResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		if err == nil && !slices.Contains(nodes[r.GetVolumeId()], r.GetNodeId()) {
			nodes[r.GetVolumeId()] = append(nodes[r.GetVolumeId()], r.GetNodeId())
		}
		return response, err
	}))
}

// listsEveryNode makes a driver whose published_node_ids have nodes that the volume was taken from, as they may (LV-07).
func listsEveryNode() mutation.Fault {
	var mu sync.Mutex
	nodes := map[string][]string{}
	everOf := func(volumeID string, now []string) []string {
		mu.Lock()
		defer mu.Unlock()
		all := slices.Concat(nodes[volumeID], now)
		slices.Sort(all)
		nodes[volumeID] = slices.Compact(all)
		return slices.Clone(nodes[volumeID])
	}
	return mutation.Ending(func(_ *csi.ListVolumesRequest, response *csi.ListVolumesResponse, err error) (*csi.ListVolumesResponse, error) {
		for _, entry := range response.GetEntries() {
			entry.Status.PublishedNodeIds = everOf(entry.GetVolume().GetVolumeId(), entry.GetStatus().GetPublishedNodeIds())
		}
		return response, err
	}).And(mutation.Answering(func(r *csi.ControllerGetVolumeRequest, response *csi.ControllerGetVolumeResponse) {
		response.Status.PublishedNodeIds = everOf(r.GetVolumeId(), response.GetStatus().GetPublishedNodeIds())
	}))
}

// listsNoNodes makes a driver whose volumes are on no node, as its calls say.
func listsNoNodes() mutation.Fault {
	return mutation.Ending(func(_ *csi.ListVolumesRequest, response *csi.ListVolumesResponse, err error) (*csi.ListVolumesResponse, error) {
		for _, entry := range response.GetEntries() {
			entry.Status = &csi.ListVolumesResponse_VolumeStatus{}
		}
		return response, err
	}).And(mutation.Answering(func(_ *csi.ControllerGetVolumeRequest, response *csi.ControllerGetVolumeResponse) {
		response.Status = &csi.ControllerGetVolumeResponse_VolumeStatus{}
	}))
}

func deletesPublished() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		if _, err := right.ControllerUnpublishVolume(ctx, &csi.ControllerUnpublishVolumeRequest{VolumeId: r.GetVolumeId()}); err != nil {
			return nil, err
		}
		return right.DeleteVolume(ctx, r)
	})
}

// unpublishesOne makes a driver that knows of one node for each volume: the last that it was published to.
func unpublishesOne() mutation.Fault {
	last := map[string]string{}
	return mutation.Answering(func(r *csi.ControllerPublishVolumeRequest, response *csi.ControllerPublishVolumeResponse) {
		last[r.GetVolumeId()] = r.GetNodeId()
	}).And(mutation.Asking(func(r *csi.ControllerUnpublishVolumeRequest) {
		if r.GetNodeId() == "" {
			r.NodeId = last[r.GetVolumeId()]
		}
	}))
}

// keepsFromOthers makes a driver that leaves a volume to the node that it was unpublished from.
func keepsFromOthers() mutation.Fault {
	left := map[string]string{}
	return mutation.Checking(func(r *csi.ControllerPublishVolumeRequest) error {
		if node := left[r.GetVolumeId()]; node != "" && node != r.GetNodeId() {
			return status.Errorf(codes.FailedPrecondition, "the volume is on %s", node)
		}
		return nil
	}).And(mutation.Asking(func(r *csi.ControllerUnpublishVolumeRequest) { left[r.GetVolumeId()] = r.GetNodeId() }))
}

// refusesUnknown makes a driver that refuses with the code to detach a volume, or from a node, that does not exist.
func refusesUnknown(code codes.Code) mutation.Fault {
	deleted := map[string]bool{}
	return mutation.Ending(func(r *csi.DeleteVolumeRequest, response *csi.DeleteVolumeResponse, err error) (*csi.DeleteVolumeResponse, error) {
		deleted[r.GetVolumeId()] = err == nil
		return response, err
	}).And(mutation.RefusingSome(code, "the volume or the node does not exist", func(r *csi.ControllerUnpublishVolumeRequest) bool {
		return deleted[r.GetVolumeId()] || r.GetNodeId() == absent.Unlike("node-1")
	}))
}
