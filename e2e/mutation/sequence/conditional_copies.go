// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

const mebibyte = 1 << 20

// ofCopiesAndNodes returns drivers that are wrong about copies of copies, sizes that they choose, and volumes on nodes with
// other volumes.
func ofCopiesAndNodes() map[string]contradiction {
	return map[string]contradiction{
		"a larger clone of a copy is empty":                                                 {clause: "VS-02", fault: emptyLargerClones()},
		"a volume without capacity_range is as large as the snapshot's volume was at first": {clause: "CS-11", fault: sizedAsCreated()},
		"the answer for a volume from a snapshot is kept once the volume is deleted":        {clause: "CAP-07 CREATE-06", fault: keepingAnswers()},
		"a publication is repeated in vain once another kind of volume is on the node":      {clause: "CP-05", fault: publishedAsNode()},
		"a volume with two nodes pushes another one out of a list in pages":                 {clause: "LV-01", cases: "combinations_shared", fault: pagedByRows()},
		"a volume on another node is deleted once it is unpublished from one":               {clause: "DV-05", cases: "combinations_shared", fault: deletedByFlag()},
		"the size of a device is aligned beyond the limit": {clause: "CR-05 CREATE-06", cases: ofDevices, fault: mutation.Asking(func(r *csi.CreateVolumeRequest) {
			if r.GetVolumeCapabilities()[0].GetBlock() != nil && r.GetCapacityRange() != nil {
				r.CapacityRange = &csi.CapacityRange{RequiredBytes: (r.GetCapacityRange().GetRequiredBytes() + mebibyte - 1) / mebibyte * mebibyte}
			}
		})},
		"the size of a clone is rounded down": {clause: "CR-03", fault: mutation.AnsweringVolume(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
			if r.GetVolumeContentSource().GetVolume() != nil {
				v.CapacityBytes -= v.GetCapacityBytes() % mebibyte
			}
		})},
	}
}

// aboutOrphans returns drivers whose refusals the specification allows, but harm their users.
func aboutOrphans() map[string]contradiction {
	return map[string]contradiction{
		"a volume is not found when it is asked for again, once its snapshot is deleted": {clause: "CV-03", fault: before(func(s *states, request any) error {
			if r, ok := request.(*csi.CreateVolumeRequest); ok && s.gone[r.GetVolumeContentSource().GetSnapshot().GetSnapshotId()] {
				return status.Error(codes.NotFound, "there is no such snapshot")
			}
			return nil
		})},
	}
}

func emptyLargerClones() mutation.Fault {
	larger := map[string]bool{}
	return answering(func(s *states, request, answer any) {
		switch r := request.(type) {
		case *csi.CreateVolumeRequest:
			source, made := r.GetVolumeContentSource().GetVolume().GetVolumeId(), answer.(*csi.CreateVolumeResponse).GetVolume()
			if s.copies[source] != "" && s.copies[made.GetVolumeId()] == "" {
				larger[made.GetVolumeId()] = made.GetCapacityBytes() > max(s.sizes[source], s.grown[source])
			}
		case *csi.NodePublishVolumeRequest:
			if larger[r.GetVolumeId()] {
				_ = mutation.RemoveFiles(r.GetTargetPath())
				delete(larger, r.GetVolumeId())
			}
		}
	})
}

func sizedAsCreated() mutation.Fault {
	of := map[string]string{}
	return answering(func(s *states, request, answer any) {
		switch r := request.(type) {
		case *csi.CreateSnapshotRequest:
			of[answer.(*csi.CreateSnapshotResponse).GetSnapshot().GetSnapshotId()] = r.GetSourceVolumeId()
		case *csi.CreateVolumeRequest:
			if size := s.sizes[of[r.GetVolumeContentSource().GetSnapshot().GetSnapshotId()]]; size > 0 && r.GetCapacityRange() == nil {
				answer.(*csi.CreateVolumeResponse).Volume.CapacityBytes = size
			}
		}
	})
}

// keepingAnswers makes a driver that repeats its earlier answer for the same name and snapshot.
func keepingAnswers() mutation.Fault {
	var kept sync.Map
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		snapshot := r.GetVolumeContentSource().GetSnapshot().GetSnapshotId()
		if known, found := kept.Load(r.GetName() + snapshot); found {
			return proto.CloneOf(known.(*csi.CreateVolumeResponse)), nil
		}
		response, err := right.CreateVolume(ctx, r)
		if err == nil && snapshot != "" {
			kept.Store(r.GetName()+snapshot, proto.CloneOf(response))
		}
		return response, err
	})
}

// publishedAsNode makes a driver that compares a repeated publication with the last one to the node, of any volume.
func publishedAsNode() mutation.Fault {
	var mu sync.Mutex
	last, published := map[string]bool{}, map[[2]string]bool{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		at, block := [2]string{r.GetVolumeId(), r.GetNodeId()}, r.GetVolumeCapability().GetBlock() != nil
		if published[at] && last[r.GetNodeId()] != block {
			return nil, status.Error(codes.AlreadyExists, "the volume is published with another capability")
		}
		response, err := right.ControllerPublishVolume(ctx, r)
		if err == nil {
			published[at], last[r.GetNodeId()] = true, block
		}
		return response, err
	}).And(mutation.OnOK(func(r *csi.ControllerUnpublishVolumeRequest) {
		mu.Lock()
		defer mu.Unlock()
		delete(published, [2]string{r.GetVolumeId(), r.GetNodeId()})
	}))
}

// pagedByRows makes a driver that puts max_entries rows of volumes and their nodes on a page, and continues after
// max_entries volumes.
func pagedByRows() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
		most := int(r.GetMaxEntries())
		if most == 0 {
			return right.ListVolumes(ctx, r)
		}
		all, err := right.ListVolumes(ctx, &csi.ListVolumesRequest{})
		if err != nil {
			return nil, err
		}
		from, _ := strconv.Atoi(r.GetStartingToken())
		entries := all.GetEntries()
		response, rows := &csi.ListVolumesResponse{}, 0
		for _, entry := range entries[min(from, len(entries)):min(from+most, len(entries))] {
			rows += max(1, len(entry.GetStatus().GetPublishedNodeIds()))
			if rows > most && len(response.Entries) > 0 {
				break
			}
			response.Entries = append(response.Entries, entry)
		}
		if from+most < len(entries) {
			response.NextToken = strconv.Itoa(from + most)
		}
		return response, nil
	})
}

// deletedByFlag makes a driver that knows whether a volume is published, but not to how many nodes: each call for a node
// sets the flag.
func deletedByFlag() mutation.Fault {
	var mu sync.Mutex
	nodes, unpublished := map[string][]string{}, map[string]bool{}
	return mutation.OnAll(func(ctx context.Context, right mutation.Right, call mutation.Call) (proto.Message, error) {
		mu.Lock()
		defer mu.Unlock()
		if r, ok := call.Request.(*csi.DeleteVolumeRequest); ok && unpublished[r.GetVolumeId()] {
			for _, node := range nodes[r.GetVolumeId()] {
				if _, err := right.ControllerUnpublishVolume(ctx, &csi.ControllerUnpublishVolumeRequest{VolumeId: r.GetVolumeId(), NodeId: node}); err != nil {
					return nil, err
				}
			}
		}
		answer, err := call.Perform(ctx)
		if err != nil {
			return answer, err
		}
		switch r := call.Request.(type) {
		case *csi.ControllerPublishVolumeRequest:
			unpublished[r.GetVolumeId()] = false
			nodes[r.GetVolumeId()] = append(nodes[r.GetVolumeId()], r.GetNodeId())
		case *csi.ControllerUnpublishVolumeRequest:
			unpublished[r.GetVolumeId()] = true
			nodes[r.GetVolumeId()] = slices.DeleteFunc(nodes[r.GetVolumeId()], func(node string) bool { return node == r.GetNodeId() })
		}
		return answer, nil
	})
}
