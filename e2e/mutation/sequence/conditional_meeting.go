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

// whereTwoMeet are drivers that are wrong where a copy, a device, a second path or a call that was given up meets a growth or a name.
func whereTwoMeet() map[string]contradiction {
	return map[string]contradiction{
		"a restored volume does not grow while it is published": {clause: "PC-07", fault: before(func(s *states, request any) error {
			r, ok := request.(*csi.ControllerExpandVolumeRequest)
			if ok && s.copies[r.GetVolumeId()] != "" && len(s.targets[r.GetVolumeId()]) > 0 {
				return status.Error(codes.FailedPrecondition, "the volume is in use")
			}
			return nil
		})},
		"a growth that was given up is added once more when it is repeated": {clause: "CR-05", fault: addsAgain()},
		"NodeExpandVolume of a device that has grown is INTERNAL":           {clause: "NE-02", cases: ofDevices, fault: expandsOnce()},
		"a copy is published to a second node":                              {clause: "CP-34", fault: copiesAreShared()},
		"a second path tells the size from before the volume grew":          {clause: "NV-03", fault: remembersTotals()},
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

// copiesAreShared makes a driver that publishes a volume in several zones, which was created from a source, to a second node as to the
// first.
func copiesAreShared() mutation.Fault {
	var mu sync.Mutex
	spread := map[string]bool{}
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		answer, err := call.Perform(ctx)
		mu.Lock()
		defer mu.Unlock()
		r, ok := call.Request.(*csi.ControllerPublishVolumeRequest)
		refused := status.Convert(err)
		if ok && spread[r.GetVolumeId()] && refused.Code() == codes.FailedPrecondition && strings.Contains(refused.Message(), "is published on node") {
			return &csi.ControllerPublishVolumeResponse{}, nil
		}
		if made, ok := answer.(*csi.CreateVolumeResponse); ok && err == nil && made.GetVolume().GetContentSource() != nil {
			spread[made.GetVolume().GetVolumeId()] = len(made.GetVolume().GetAccessibleTopology()) > 1
		}
		return answer, err
	})
}

// before makes a driver that refuses calls by what it knows.
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

// addsAgain makes a driver that works off a growth whose caller gave up, and adds as much when it is asked for again.
func addsAgain() mutation.Fault {
	var mu sync.Mutex
	sizes, given := map[string]int64{}, map[string]int64{}
	note := func(id string, bytes int64) {
		mu.Lock()
		defer mu.Unlock()
		sizes[id] = max(sizes[id], bytes)
	}
	return mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) { note(v.GetVolumeId(), v.GetCapacityBytes()) }).
		And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, error) {
			inTime := mutation.InTime(ctx)
			mu.Lock()
			asked := r.GetCapacityRange().GetRequiredBytes()
			switch by, more := asked-sizes[r.GetVolumeId()], given[r.GetVolumeId()]; {
			case !inTime:
				given[r.GetVolumeId()] = max(by, more)
			case more > 0:
				r.CapacityRange = &csi.CapacityRange{RequiredBytes: asked + more}
				delete(given, r.GetVolumeId())
			}
			mu.Unlock()
			response, err := right.ControllerExpandVolume(context.WithoutCancel(ctx), r)
			if err == nil {
				note(r.GetVolumeId(), response.GetCapacityBytes())
			}
			if !inTime {
				return nil, status.FromContextError(ctx.Err()).Err()
			}
			return response, err
		}))
}

// expandsOnce makes a driver whose nodes find nothing to do for a device that they have expanded.
func expandsOnce() mutation.Fault {
	var mu sync.Mutex
	expanded := map[string]bool{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeExpandVolumeRequest) (*csi.NodeExpandVolumeResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		if r.GetVolumeCapability().GetBlock() != nil && expanded[r.GetVolumePath()] {
			return nil, status.Error(codes.Internal, "nothing to grow")
		}
		response, err := right.NodeExpandVolume(ctx, r)
		expanded[r.GetVolumePath()] = err == nil
		return response, err
	})
}

// remembersTotals makes a driver that tells of the second path of a volume what it told of it first.
func remembersTotals() mutation.Fault {
	first := map[string]string{}
	told := map[string][]*csi.VolumeUsage{}
	return answering(func(_ *states, request, answer any) {
		r, ok := request.(*csi.NodeGetVolumeStatsRequest)
		if !ok {
			return
		}
		if first[r.GetVolumeId()] == "" {
			first[r.GetVolumeId()] = r.GetVolumePath()
		}
		if first[r.GetVolumeId()] == r.GetVolumePath() {
			return
		}
		response := answer.(*csi.NodeGetVolumeStatsResponse)
		if known := told[r.GetVolumePath()]; known != nil {
			response.Usage = known
		}
		told[r.GetVolumePath()] = response.GetUsage()
	})
}
