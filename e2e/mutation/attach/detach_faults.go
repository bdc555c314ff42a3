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
		"unpublishes from the node that is named only": unpublishing(func(ctx context.Context, right mutation.Right, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
			if r.GetVolumeId() != "" && r.GetNodeId() == "" {
				return &csi.ControllerUnpublishVolumeResponse{}, nil
			}
			return right.ControllerUnpublishVolume(ctx, r)
		}),
		"unpublishes from one node where it should from all": unpublishesOne(),
		"unpublishes from the first of several nodes only":   unpublishesFirst(),
		"keeps a volume from other nodes":                    keepsFromOthers(),
		"lists no volumes that are on a node": mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
			response, err := right.ListVolumes(ctx, r)
			if err == nil {
				response.Entries = slices.DeleteFunc(response.GetEntries(), func(e *csi.ListVolumesResponse_Entry) bool { return len(e.GetStatus().GetPublishedNodeIds()) > 0 })
			}
			return response, err
		}),
		"lists every node that a volume ever was on":              listsEveryNode(),
		"INTERNAL for an unknown volume or node":                  refusesUnknown(codes.Internal),
		"deletes a published volume":                              deletesPublished(),
		"deletes a published volume, and claims to list no nodes": deletesPublished().And(mutation.Unclaimed(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES)),
	}
}

func unpublishesFromAll() mutation.Fault {
	return unpublishing(func(ctx context.Context, right mutation.Right, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
		r.NodeId = ""
		return right.ControllerUnpublishVolume(ctx, r)
	})
}

// unpublishesFirst makes a driver that looks at no more than the first of a volume's nodes.
func unpublishesFirst() mutation.Fault {
	var mu sync.Mutex
	nodes := map[string][]string{}
	return unpublishing(func(ctx context.Context, right mutation.Right, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
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
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
		response, err := right.ControllerPublishVolume(ctx, r)
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
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
		response, err := right.ListVolumes(ctx, r)
		for _, entry := range response.GetEntries() {
			entry.Status.PublishedNodeIds = everOf(entry.GetVolume().GetVolumeId(), entry.GetStatus().GetPublishedNodeIds())
		}
		return response, err
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerGetVolumeRequest) (*csi.ControllerGetVolumeResponse, error) {
		response, err := right.ControllerGetVolume(ctx, r)
		if err == nil {
			response.Status.PublishedNodeIds = everOf(r.GetVolumeId(), response.GetStatus().GetPublishedNodeIds())
		}
		return response, err
	}))
}

// listsNoNodes makes a driver whose volumes are on no node, as its calls say.
func listsNoNodes() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
		response, err := right.ListVolumes(ctx, r)
		for _, entry := range response.GetEntries() {
			entry.Status = &csi.ListVolumesResponse_VolumeStatus{}
		}
		return response, err
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerGetVolumeRequest) (*csi.ControllerGetVolumeResponse, error) {
		response, err := right.ControllerGetVolume(ctx, r)
		if err == nil {
			response.Status = &csi.ControllerGetVolumeResponse_VolumeStatus{}
		}
		return response, err
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
	return publishing(func(ctx context.Context, right mutation.Right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
		response, err := right.ControllerPublishVolume(ctx, r)
		if err == nil {
			last[r.GetVolumeId()] = r.GetNodeId()
		}
		return response, err
	}).And(unpublishing(func(ctx context.Context, right mutation.Right, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
		if r.GetNodeId() == "" {
			r.NodeId = last[r.GetVolumeId()]
		}
		return right.ControllerUnpublishVolume(ctx, r)
	}))
}

// keepsFromOthers makes a driver that leaves a volume to the node that it was unpublished from.
func keepsFromOthers() mutation.Fault {
	left := map[string]string{}
	return publishing(func(ctx context.Context, right mutation.Right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
		if node := left[r.GetVolumeId()]; node != "" && node != r.GetNodeId() {
			return nil, status.Errorf(codes.FailedPrecondition, "the volume is on %s", node)
		}
		return right.ControllerPublishVolume(ctx, r)
	}).And(unpublishing(func(ctx context.Context, right mutation.Right, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
		left[r.GetVolumeId()] = r.GetNodeId()
		return right.ControllerUnpublishVolume(ctx, r)
	}))
}

// refusesUnknown makes a driver that refuses with the code to detach a volume, or from a node, that does not exist.
func refusesUnknown(code codes.Code) mutation.Fault {
	deleted := map[string]bool{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		response, err := right.DeleteVolume(ctx, r)
		deleted[r.GetVolumeId()] = err == nil
		return response, err
	}).And(unpublishing(func(ctx context.Context, right mutation.Right, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
		if deleted[r.GetVolumeId()] || r.GetNodeId() == absent.Unlike("node-1") {
			return nil, status.Error(code, "the volume or the node does not exist")
		}
		return right.ControllerUnpublishVolume(ctx, r)
	}))
}
