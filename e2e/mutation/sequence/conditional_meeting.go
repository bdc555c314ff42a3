// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"os"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// whereTwoMeet returns drivers that are wrong if a copy, a device, a second path or a call that was given up meets a
// growth or a name.
func whereTwoMeet() map[string]contradiction {
	return map[string]contradiction{
		"a restored volume does not grow while it is published": {clause: "PC-07", fault: before(func(s *states, request any) error {
			r, ok := request.(*csi.ControllerExpandVolumeRequest)
			if ok && s.copies[r.GetVolumeId()] != "" && len(s.targets[r.GetVolumeId()]) > 0 {
				return status.Error(codes.FailedPrecondition, "the volume is in use")
			}
			return nil
		})},
		"a growth that was given up is added once more when it is repeated": {clause: "CR-05", fault: mutation.AddingGivenUp()},
		"NodeExpandVolume of a device that has grown is INTERNAL": {clause: "NE-02", cases: ofDevices, fault: mutation.Again((*csi.NodeExpandVolumeRequest).GetVolumePath, mutation.RefusingSome(codes.Internal, "nothing to grow", func(r *csi.NodeExpandVolumeRequest) bool {
			return r.GetVolumeCapability().GetBlock() != nil
		}))},
		"a copy is published to a second node":                            {clause: "CP-34", fault: copiesAreShared()},
		"a second path tells the size from before the volume grew":        {clause: "NV-03", fault: remembersTotals()},
		"a path tells what it told first, unless it is the one that grew": {clause: "NV-03", fault: tellsOfPathsOnce(true)},
		"a path tells what it told first":                                 {clause: "NV-03", fault: tellsOfPathsOnce(false)},
		"a volume that has grown is left staged": {clause: "NS-06", fault: instead(func(s *states, request any) proto.Message {
			if r, ok := request.(*csi.NodeUnstageVolumeRequest); ok && s.grown[r.GetVolumeId()] > 0 {
				return &csi.NodeUnstageVolumeResponse{}
			}
			return nil
		})},
		"a snapshot of a clone is one of its source that has the name":   {clause: "CS-18 SN-02", fault: clonesShareSnapshots()},
		"a second path of a volume is taken for one that it begins with": {clause: "NS-20", fault: comparesBeginnings()},
		"no node has to expand a volume in use for which that was said before": {clause: "CE-15", fault: answering(func(s *states, request, answer any) {
			if r, ok := request.(*csi.ControllerExpandVolumeRequest); ok && s.grown[r.GetVolumeId()] > 0 && len(s.targets[r.GetVolumeId()]) > 0 {
				answer.(*csi.ControllerExpandVolumeResponse).NodeExpansionRequired = false
			}
		})},
		"a restored device is a directory": {clause: "NS-19", cases: ofDevices, fault: answering(func(s *states, request, _ any) {
			r, ok := request.(*csi.NodePublishVolumeRequest)
			if ok && s.copies[r.GetVolumeId()] != "" && r.GetVolumeCapability().GetBlock() != nil {
				const private = 0o700
				_ = os.Remove(r.GetTargetPath())
				_ = os.Mkdir(r.GetTargetPath(), private)
			}
		})},
		"names of copies in another case are one volume": {clause: "VOL-04", fault: mutation.Asking(func(r *csi.CreateVolumeRequest) {
			if r.GetVolumeContentSource() != nil {
				r.Name = strings.ToLower(r.GetName())
			}
		})},
	}
}

// copiesAreShared makes a driver that publishes a volume in several zones, which was created from a source, to a second
// node like to the first.
func copiesAreShared() mutation.Fault {
	var spread, nodes sync.Map // the volumes, and the first node of each
	return mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
		if v.GetContentSource() != nil && len(v.GetAccessibleTopology()) > 1 {
			spread.Store(v.GetVolumeId(), true)
		}
	}).And(mutation.Ending(func(r *csi.ControllerPublishVolumeRequest, response *csi.ControllerPublishVolumeResponse, err error) (*csi.ControllerPublishVolumeResponse, error) {
		if err == nil {
			nodes.LoadOrStore(r.GetVolumeId(), r.GetNodeId())
		}
		_, copied := spread.Load(r.GetVolumeId())
		if at, on := nodes.Load(r.GetVolumeId()); copied && on && at != r.GetNodeId() && status.Code(err) == codes.FailedPrecondition {
			return &csi.ControllerPublishVolumeResponse{}, nil
		}
		return response, err
	})).And(mutation.OnOK(func(r *csi.ControllerUnpublishVolumeRequest) { nodes.Delete(r.GetVolumeId()) }))
}

// before makes a driver that refuses calls based on earlier calls.
func before(refuse func(s *states, request any) error) mutation.Fault {
	s := newStates()
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if err := refuse(s, call.Request); err != nil {
			return nil, err
		}
		answer, err := call.Perform(ctx)
		if err == nil {
			s.note(call.Request, answer)
		}
		return answer, err
	})
}

func clonesShareSnapshots() mutation.Fault {
	taken := map[string]*csi.Snapshot{} // by their names
	s := newStates()
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		answer, err := call.Perform(ctx)
		s.mu.Lock()
		defer s.mu.Unlock()
		r, ok := call.Request.(*csi.CreateSnapshotRequest)
		if known := taken[r.GetName()]; ok && status.Code(err) == codes.AlreadyExists && s.copies[r.GetSourceVolumeId()] == known.GetSourceVolumeId() {
			return &csi.CreateSnapshotResponse{Snapshot: known}, nil
		}
		if err != nil {
			return answer, err
		}
		if ok {
			taken[r.GetName()] = answer.(*csi.CreateSnapshotResponse).GetSnapshot()
		}
		s.note(call.Request, answer)
		return answer, nil
	})
}
