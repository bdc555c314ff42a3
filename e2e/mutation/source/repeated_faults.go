// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// onRepeat makes a driver that is wrong about a copy when its name is requested again.
func onRepeat(fault mutation.Fault) mutation.Fault {
	return copying(mutation.Again((*createRequest).GetName, fault))
}

// copyingAgain makes a driver that copies the source again when the call that created a copy is repeated, and overwrites
// later writes.
func copyingAgain() mutation.Fault {
	var overwritten sync.Map
	return onRepeat(mutation.AnsweringVolume(func(_ *createRequest, v *csi.Volume) {
		overwritten.Store(v.GetVolumeId(), true)
	})).And(mutation.OnOK(func(r *csi.NodePublishVolumeRequest) {
		if _, found := overwritten.LoadAndDelete(r.GetVolumeId()); found {
			_ = mutation.RemoveFiles(r.GetTargetPath())
		}
	}))
}

func takingAgain() mutation.Fault {
	late := &later{}
	return late.restored().And(mutation.Again((*snapshotRequest).GetName, mutation.On(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
		first, err := right.CreateSnapshot(ctx, r)
		if err != nil {
			return nil, err
		}
		if again, err := right.CreateSnapshot(ctx, &snapshotRequest{Name: r.GetName() + "-again", SourceVolumeId: r.GetSourceVolumeId()}); err == nil {
			late.Store(first.GetSnapshot().GetSnapshotId(), again.GetSnapshot().GetSnapshotId())
		}
		return first, nil
	})))
}

// forgettingRefusals makes a driver that answers OK to a call for a snapshot that it refused before: it mistakes its record
// of that call for a snapshot.
func forgettingRefusals() mutation.Fault {
	var refused sync.Map
	return mutation.InsteadOf(codes.NotFound, func(_ context.Context, _ mutation.Right, r *snapshotRequest, err error) (*snapshotResponse, error) {
		if _, again := refused.LoadOrStore(r.GetName(), true); !again {
			return nil, err
		}
		return &snapshotResponse{Snapshot: &csi.Snapshot{SnapshotId: r.GetName(), SourceVolumeId: r.GetSourceVolumeId(), CreationTime: timestamppb.Now(), ReadyToUse: true}}, nil
	})
}

// comparingVolumes makes a driver that treats two sources as the same if they belong to one volume: two of its snapshots,
// or a snapshot and itself.
func comparingVolumes() mutation.Fault {
	type source struct {
		asked  *csi.VolumeContentSource
		volume string
	}
	var volumes, first sync.Map // the volume of a snapshot, and the first source of a name
	return answeringSnapshot(func(r *snapshotRequest, s *csi.Snapshot) {
		volumes.Store(s.GetSnapshotId(), r.GetSourceVolumeId())
	}).And(asking(func(r *createRequest) {
		of := sourceID(r)
		if volume, found := volumes.Load(of); found {
			of = volume.(string)
		}
		before, known := first.LoadOrStore(r.GetName(), source{r.GetVolumeContentSource(), of})
		if known && before.(source).volume == of {
			r.VolumeContentSource = before.(source).asked
		}
	}))
}

func comparingGrown() mutation.Fault {
	var grown sync.Map
	return mutation.OnOK(func(r *csi.ControllerExpandVolumeRequest) {
		grown.Store(r.GetVolumeId(), true)
	}).And(onRepeat(mutation.RefusingSome(codes.OutOfRange, "the source is larger", func(r *createRequest) bool {
		_, found := grown.Load(sourceID(r))
		return found
	})))
}

// afterGivingUp makes a driver that continues to take a snapshot when the call is given up, and does instead when the call
// is repeated.
func afterGivingUp(instead func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error)) mutation.Fault {
	return mutation.AfterGivingUp(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
		return right.CreateSnapshot(ctx, r)
	}, instead)
}

func listingEarly() mutation.Fault {
	var early sync.Map
	return mutation.On(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
		late := !mutation.InTime(ctx)
		response, err := right.CreateSnapshot(context.WithoutCancel(ctx), r)
		early.Store(response.GetSnapshot().GetSnapshotId(), late)
		if late {
			return nil, status.FromContextError(ctx.Err()).Err()
		}
		return response, err
	}).And(mutation.Answering(func(_ *listRequest, response *listResponse) {
		for _, entry := range response.GetEntries() {
			if is, _ := early.Load(entry.GetSnapshot().GetSnapshotId()); is == true {
				entry.Snapshot.CreationTime = nil
			}
		}
	}))
}

func leavingHelpers() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		source := r.GetVolumeContentSource().GetVolume()
		if err != nil || source == nil {
			return response, err
		}
		if _, err := right.CreateSnapshot(ctx, &csi.CreateSnapshotRequest{Name: "for-" + r.GetName(), SourceVolumeId: source.GetVolumeId()}); err != nil {
			return nil, err
		}
		return response, nil
	})
}
