// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// contradiction is a fault, with the clause by which the cases must fail. If no case is named, the cases about file systems
// must fail.
type contradiction struct {
	clause string
	fault  mutation.Fault
	cases  string
}

// inStates returns drivers that answer wrongly in only one state of a volume's life, each with the clause that it
// contradicts.
func inStates() map[string]contradiction {
	return map[string]contradiction{
		"a snapshot is as large as its volume has grown": {clause: "CS-03", cases: "combinations_shared", fault: answering(func(s *states, request, answer any) {
			if r, ok := request.(*csi.CreateSnapshotRequest); ok && s.grown[r.GetSourceVolumeId()] > 0 {
				answer.(*csi.CreateSnapshotResponse).Snapshot.SizeBytes = s.grown[r.GetSourceVolumeId()]
			}
		})},
		"a copy that has grown is listed as it was created": {clause: "CE-13", fault: listing(func(s *states, e *csi.ListVolumesResponse_Entry) {
			if id := e.GetVolume().GetVolumeId(); s.copies[id] != "" && s.grown[id] > 0 {
				e.Volume.CapacityBytes = s.sizes[id]
			}
		})},
		"a volume that was on another node is listed without nodes": {clause: "LV-10", fault: listing(func(s *states, e *csi.ListVolumesResponse_Entry) {
			if s.left[e.GetVolume().GetVolumeId()] {
				e.Status.PublishedNodeIds = nil
			}
		})},
		"a volume is not listed once its snapshot is deleted": {clause: "LV-01", fault: answering(func(s *states, _, answer any) {
			if list, ok := answer.(*csi.ListVolumesResponse); ok {
				list.Entries = slices.DeleteFunc(list.Entries, func(e *csi.ListVolumesResponse_Entry) bool { return s.gone[s.copies[e.GetVolume().GetVolumeId()]] })
			}
		})},
		"a volume that has grown is on no page of few entries": {clause: "LV-01", fault: answering(func(s *states, request, answer any) {
			if r, ok := request.(*csi.ListVolumesRequest); ok && r.GetMaxEntries() > 0 {
				list := answer.(*csi.ListVolumesResponse)
				list.Entries = slices.DeleteFunc(list.Entries, func(e *csi.ListVolumesResponse_Entry) bool { return s.grown[e.GetVolume().GetVolumeId()] > 0 })
			}
		})},
		"a snapshot is an hour younger once it was restored": {clause: "GS-01", fault: answering(func(s *states, _, answer any) {
			got, ok := answer.(*csi.GetSnapshotResponse)
			if ok && slices.Contains(slices.Collect(maps.Values(s.copies)), got.GetSnapshot().GetSnapshotId()) {
				got.Snapshot.CreationTime = timestamppb.New(got.GetSnapshot().GetCreationTime().AsTime().Add(time.Hour))
			}
		})},
		"a deleted volume that has a snapshot is confirmed": {clause: "VV-03", fault: confirmingBySnapshots()},
		"names of snapshots are cut": {clause: "CS-18", fault: mutation.Asking(func(r *csi.CreateSnapshotRequest) {
			const most = 100
			r.Name = r.GetName()[:min(most, len(r.GetName()))]
		})},
		"names of snapshots in another case are one snapshot":     {clause: "CS-18", fault: mutation.Asking(func(r *csi.CreateSnapshotRequest) { r.Name = strings.ToLower(r.GetName()) })},
		"a snapshot of a volume in use has what is written later": {clause: "CS-23", fault: writtenLater()},
		"a long path is refused beside another volume":            {clause: "NS-18", fault: refusingLongPaths()},
		"a path of two is left once the volume has grown": {clause: "NS-29", fault: answering(func(s *states, request, _ any) {
			r, ok := request.(*csi.NodeUnpublishVolumeRequest)
			if ok && s.grown[r.GetVolumeId()] > 0 && len(s.targets[r.GetVolumeId()]) > 1 {
				const private = 0o700
				_ = os.MkdirAll(r.GetTargetPath(), private)
			}
		})},
	}
}

// confirmingBySnapshots makes a driver that confirms every capability for a deleted volume of which it has taken a
// snapshot.
func confirmingBySnapshots() mutation.Fault {
	var mu sync.Mutex
	taken := map[string]bool{}
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		answer, err := call.Perform(ctx)
		mu.Lock()
		defer mu.Unlock()
		switch r := call.Request.(type) {
		case *csi.CreateSnapshotRequest:
			taken[r.GetSourceVolumeId()] = taken[r.GetSourceVolumeId()] || err == nil
		case *csi.ValidateVolumeCapabilitiesRequest:
			if status.Code(err) == codes.NotFound && taken[r.GetVolumeId()] {
				return &csi.ValidateVolumeCapabilitiesResponse{Confirmed: &csi.ValidateVolumeCapabilitiesResponse_Confirmed{VolumeCapabilities: r.GetVolumeCapabilities()}}, nil
			}
		}
		return answer, err
	})
}

// states holds the state of a driver's volumes and snapshots, by id.
type states struct {
	mu sync.Mutex
	// sizes holds the sizes that volumes were created with, and grown the sizes that they have grown to.
	sizes, grown map[string]int64
	// copies holds the snapshots that volumes were created from, or the volumes.
	copies map[string]string
	// gone holds deleted snapshots, and left the volumes that were unpublished from a node.
	gone, left map[string]bool
	targets    map[string][]string
}

func newStates() *states {
	return &states{sizes: map[string]int64{}, grown: map[string]int64{}, copies: map[string]string{},
		gone: map[string]bool{}, left: map[string]bool{}, targets: map[string][]string{}}
}

// answering makes a driver that changes its answers, or does more, based on the state before the call.
func answering(change func(s *states, request, answer any)) mutation.Fault {
	s := newStates()
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		answer, err := call.Perform(ctx)
		if err != nil {
			return answer, err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		change(s, call.Request, answer)
		s.note(call.Request, answer)
		return answer, nil
	})
}

// listing is like answering, for the entries of ListVolumes.
func listing(change func(s *states, e *csi.ListVolumesResponse_Entry)) mutation.Fault {
	return answering(func(s *states, _, answer any) {
		if list, ok := answer.(*csi.ListVolumesResponse); ok {
			for _, entry := range list.GetEntries() {
				change(s, entry)
			}
		}
	})
}

// note records a call that was answered OK.
func (s *states) note(request, answer any) {
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		made := answer.(*csi.CreateVolumeResponse).GetVolume()
		if from := r.GetVolumeContentSource(); from != nil {
			s.copies[made.GetVolumeId()] = from.GetSnapshot().GetSnapshotId() + from.GetVolume().GetVolumeId()
		}
		if s.sizes[made.GetVolumeId()] == 0 {
			s.sizes[made.GetVolumeId()] = made.GetCapacityBytes()
		}
	case *csi.ControllerExpandVolumeRequest:
		if bytes := answer.(*csi.ControllerExpandVolumeResponse).GetCapacityBytes(); bytes > s.sizes[r.GetVolumeId()] {
			s.grown[r.GetVolumeId()] = bytes
		}
	case *csi.DeleteSnapshotRequest:
		s.gone[r.GetSnapshotId()] = true
	case *csi.ControllerUnpublishVolumeRequest:
		s.left[r.GetVolumeId()] = true
	case *csi.NodePublishVolumeRequest:
		if !slices.Contains(s.targets[r.GetVolumeId()], r.GetTargetPath()) {
			s.targets[r.GetVolumeId()] = append(s.targets[r.GetVolumeId()], r.GetTargetPath())
		}
	case *csi.NodeUnpublishVolumeRequest:
		s.targets[r.GetVolumeId()] = slices.DeleteFunc(s.targets[r.GetVolumeId()], func(target string) bool { return target == r.GetTargetPath() })
	}
}

func refusingLongPaths() mutation.Fault {
	return before(func(s *states, request any) error {
		if r, ok := request.(*csi.NodePublishVolumeRequest); ok && len(r.GetTargetPath()) >= 128 {
			for id, targets := range s.targets {
				if id != r.GetVolumeId() && len(targets) > 0 {
					return status.Error(codes.InvalidArgument, "the path is too long")
				}
			}
		}
		return nil
	})
}

func writtenLater() mutation.Fault {
	s := newStates()
	of, last := map[string]string{}, map[string]map[string][]byte{} // the volumes of snapshots in use, and the last contents of the volumes
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if r, ok := call.Request.(*csi.NodeUnpublishVolumeRequest); ok && slices.Contains(s.targets[r.GetVolumeId()], r.GetTargetPath()) {
			last[r.GetVolumeId()] = mutation.ReadFiles(r.GetTargetPath())
		}
		answer, err := call.Perform(ctx)
		if err != nil {
			return answer, err
		}
		switch r := call.Request.(type) {
		case *csi.CreateSnapshotRequest:
			if len(s.targets[r.GetSourceVolumeId()]) > 0 {
				of[answer.(*csi.CreateSnapshotResponse).GetSnapshot().GetSnapshotId()] = r.GetSourceVolumeId()
			}
		case *csi.NodePublishVolumeRequest:
			mutation.WriteFiles(r.GetTargetPath(), last[of[s.copies[r.GetVolumeId()]]])
			delete(s.copies, r.GetVolumeId())
		}
		s.note(call.Request, answer)
		return answer, nil
	})
}
