// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

func leaving() mutation.Fault {
	return copying(mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		if err == nil {
			return response, nil
		}
		left := proto.CloneOf(r)
		left.Name += "-left"
		left.VolumeContentSource, left.AccessibilityRequirements = nil, nil
		left.CapacityRange = &csi.CapacityRange{RequiredBytes: 1 << 20}
		if _, errOfLeft := right.CreateVolume(ctx, left); errOfLeft != nil {
			return nil, errOfLeft
		}
		return nil, err
	}))
}

func refusingLarger(code codes.Code) mutation.Fault {
	return copying(mutation.RefusingSome(code, "a copy is as large as its source", func(r *createRequest) bool {
		return r.GetCapacityRange().GetRequiredBytes() > size
	}))
}

// showingOldSize makes a driver that shows a workload no more bytes of a copy than its source had.
func showingOldSize(of func(*createRequest) bool) mutation.Fault {
	var copies sync.Map
	return answering(func(r *createRequest, v *csi.Volume) {
		if of(r) {
			copies.Store(v.GetVolumeId(), true)
		}
	}).And(mutation.Answering(func(r *csi.NodeGetVolumeStatsRequest, response *csi.NodeGetVolumeStatsResponse) {
		if _, copied := copies.Load(r.GetVolumeId()); copied {
			response.GetUsage()[0].Total = size
		}
	}))
}

// counting makes a driver that changes the capacity of every segment by the result of change for the bytes of all copies.
func counting(change func(bytes int64) int64) mutation.Fault {
	var copied atomic.Int64
	var seen sync.Map
	return answering(func(_ *createRequest, v *csi.Volume) {
		if _, again := seen.LoadOrStore(v.GetVolumeId(), true); !again {
			copied.Add(v.GetCapacityBytes())
		}
	}).And(mutation.Answering(func(_ *csi.GetCapacityRequest, response *csi.GetCapacityResponse) {
		response.AvailableCapacity += change(copied.Load())
	})).And(mutation.Asking(func(_ *csi.DeleteVolumeRequest) { copied.Store(0) }))
}

func goingWithSource() mutation.Fault {
	var copies sync.Map
	deleteCopy := func(ctx context.Context, right mutation.Right, source string) {
		if id, found := copies.LoadAndDelete(source); found {
			_, _ = right.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: id.(string)})
		}
	}
	return answering(func(r *createRequest, v *csi.Volume) {
		copies.Store(sourceID(r), v.GetVolumeId())
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		deleteCopy(ctx, right, r.GetVolumeId())
		return right.DeleteVolume(ctx, r)
	})).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
		deleteCopy(ctx, right, r.GetSnapshotId())
		return right.DeleteSnapshot(ctx, r)
	}))
}

// keepingSources makes a driver that refuses to delete the sources of copies.
func keepingSources(code codes.Code) mutation.Fault {
	var sources sync.Map // of each copy
	copied := func(id string) error {
		var refused error
		sources.Range(func(_, source any) bool {
			if source == id {
				refused = status.Error(code, "a volume was copied from it")
			}
			return refused == nil
		})
		return refused
	}
	return answering(func(r *createRequest, v *csi.Volume) {
		sources.Store(v.GetVolumeId(), sourceID(r))
	}).And(mutation.Checking(func(r *csi.DeleteVolumeRequest) error {
		if err := copied(r.GetVolumeId()); err != nil {
			return err
		}
		sources.Delete(r.GetVolumeId())
		return nil
	})).And(mutation.Checking(func(r *csi.DeleteSnapshotRequest) error { return copied(r.GetSnapshotId()) }))
}

func sourceID(r *createRequest) string {
	if id := r.GetVolumeContentSource().GetVolume().GetVolumeId(); id != "" {
		return id
	}
	return r.GetVolumeContentSource().GetSnapshot().GetSnapshotId()
}

// inheritingReadOnly makes a driver that always attaches a copy read-only if the volume was attached read-only when its
// source was created.
func inheritingReadOnly() mutation.Fault {
	var readOnly, copies sync.Map // volumes that are attached read-only, with their snapshots
	return answering(func(r *createRequest, v *csi.Volume) {
		if _, found := readOnly.Load(sourceID(r)); found {
			copies.Store(v.GetVolumeId(), true)
		}
	}).And(answeringSnapshot(func(r *snapshotRequest, s *csi.Snapshot) {
		if _, found := readOnly.Load(r.GetSourceVolumeId()); found {
			readOnly.Store(s.GetSnapshotId(), true)
		}
	})).And(mutation.Checking(func(r *csi.ControllerPublishVolumeRequest) error {
		if _, found := copies.Load(r.GetVolumeId()); found && !r.GetReadonly() {
			return status.Error(codes.FailedPrecondition, "the volume is read-only")
		}
		if r.GetReadonly() {
			readOnly.Store(r.GetVolumeId(), true)
		}
		return nil
	}))
}
