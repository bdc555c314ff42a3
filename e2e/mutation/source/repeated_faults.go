// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// copyingAgain copies the source once more when the call that created a copy is repeated, over what was written since.
func copyingAgain() mutation.Fault {
	var names, overwritten sync.Map // the copy of a name, and the copies that were overwritten
	return copying(mutation.Answering(func(r *createRequest, response *createResponse) {
		if _, again := names.LoadOrStore(r.GetName(), true); again {
			overwritten.Store(response.GetVolume().GetVolumeId(), true)
		}
	})).And(mutation.Ending(func(r *csi.NodePublishVolumeRequest, response *csi.NodePublishVolumeResponse, err error) (*csi.NodePublishVolumeResponse, error) {
		if _, found := overwritten.LoadAndDelete(r.GetVolumeId()); found && err == nil {
			err = os.WriteFile(filepath.Join(r.GetTargetPath(), "csi-topo"), []byte("what the source has"), 0o600)
		}
		return response, err
	}))
}

// takingAgain takes a snapshot once more when its call is repeated, and restores that one instead.
func takingAgain() mutation.Fault {
	var late sync.Map // the later snapshot of each
	return mutation.On(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
		first, err := right.CreateSnapshot(ctx, r)
		if err != nil {
			return nil, err
		}
		id := first.GetSnapshot().GetSnapshotId()
		if _, known := late.LoadOrStore(id, id); known {
			if again, err := right.CreateSnapshot(ctx, &snapshotRequest{Name: r.GetName() + "-again", SourceVolumeId: r.GetSourceVolumeId()}); err == nil {
				late.Store(id, again.GetSnapshot().GetSnapshotId())
			}
		}
		return first, nil
	}).And(copying(mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
		asked := r.GetVolumeContentSource()
		if id, found := late.Load(asked.GetSnapshot().GetSnapshotId()); found {
			r.VolumeContentSource = messages.FromSnapshot(id.(string))
		}
		return sayingSource(asked)(right.CreateVolume(ctx, r))
	}))).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
		if id, found := late.LoadAndDelete(r.GetSnapshotId()); found && id != r.GetSnapshotId() {
			_, _ = right.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: id.(string)})
		}
		return right.DeleteSnapshot(ctx, r)
	}))
}

// unclaimedEmpty does not claim to clone volumes, and creates an empty one that is said to be a clone.
func unclaimedEmpty() mutation.Fault {
	return mutation.Unclaimed(csi.ControllerServiceCapability_RPC_CLONE_VOLUME).And(copying(mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
		asked := r.GetVolumeContentSource()
		if asked.GetVolume() != nil {
			r.VolumeContentSource = nil
		}
		return sayingSource(asked)(right.CreateVolume(ctx, r))
	})))
}

// forgettingRefusals answers OK to a call for a snapshot that it refused before: what it noted then is taken for one.
func forgettingRefusals() mutation.Fault {
	var refused sync.Map
	return mutation.Ending(func(r *snapshotRequest, response *snapshotResponse, err error) (*snapshotResponse, error) {
		if status.Code(err) == codes.NotFound {
			if _, again := refused.LoadOrStore(r.GetName(), true); again {
				return &snapshotResponse{Snapshot: &csi.Snapshot{SnapshotId: r.GetName(), SourceVolumeId: r.GetSourceVolumeId(), CreationTime: timestamppb.Now(), ReadyToUse: true}}, nil
			}
		}
		return response, err
	})
}

// answeringFromMemory answers a call for a snapshot of a volume that it does not find as it answered the first one of the name.
func answeringFromMemory() mutation.Fault {
	var answers sync.Map
	return mutation.Ending(func(r *snapshotRequest, response *snapshotResponse, err error) (*snapshotResponse, error) {
		if before, found := answers.Load(r.GetName()); found && status.Code(err) == codes.NotFound {
			return before.(*snapshotResponse), nil
		}
		if err == nil {
			answers.Store(r.GetName(), response)
		}
		return response, err
	})
}

// forgettingSources does not say what a volume was created from when its call is repeated.
func forgettingSources() mutation.Fault {
	var names sync.Map
	return answering(func(r *createRequest, v *csi.Volume) {
		if _, again := names.LoadOrStore(r.GetName(), true); again {
			v.ContentSource = nil
		}
	})
}

// beyondLimit does not say how large snapshots are, and restores them without regard to limit_bytes.
func beyondLimit() mutation.Fault {
	return answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) { s.SizeBytes = 0 }).And(asking(func(r *createRequest) {
		if r.GetVolumeContentSource().GetSnapshot() != nil && r.GetCapacityRange().GetLimitBytes() > 0 {
			r.CapacityRange.LimitBytes = 0
		}
	}))
}

// comparingVolumes takes two sources for the same if they are of one volume: two of its snapshots, or a snapshot and itself.
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
