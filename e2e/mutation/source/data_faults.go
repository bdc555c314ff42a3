// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// cuttingLate takes a snapshot, which is restored instead, of a volume that is being deleted.
func cuttingLate() mutation.Fault {
	var late sync.Map // by the snapshot_id that was answered
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		for _, entry := range snapshotsOf(ctx, right, r.GetVolumeId()) {
			id := entry.GetSnapshot().GetSnapshotId()
			response, err := right.CreateSnapshot(ctx, &csi.CreateSnapshotRequest{Name: id, SourceVolumeId: r.GetVolumeId()})
			if err == nil {
				late.Store(id, response.GetSnapshot().GetSnapshotId())
			}
		}
		return right.DeleteVolume(ctx, r)
	}).And(copying(mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
		asked := r.GetVolumeContentSource()
		if id, found := late.Load(asked.GetSnapshot().GetSnapshotId()); found {
			r.VolumeContentSource = messages.FromSnapshot(id.(string))
		}
		return sayingSource(asked)(right.CreateVolume(ctx, r))
	}))).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
		if id, found := late.LoadAndDelete(r.GetSnapshotId()); found {
			_, _ = right.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: id.(string)})
		}
		return right.DeleteSnapshot(ctx, r)
	}))
}

// emptyWhenLarger passes over the source of a volume that is larger than it.
func emptyWhenLarger() mutation.Fault {
	return copying(mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
		asked := r.GetVolumeContentSource()
		if r.GetCapacityRange().GetRequiredBytes() > size {
			r.VolumeContentSource = nil
		}
		return sayingSource(asked)(right.CreateVolume(ctx, r))
	}))
}

// sayingSource makes an answer that says that the volume was created from the source.
func sayingSource(source *csi.VolumeContentSource) func(*createResponse, error) (*createResponse, error) {
	return func(response *createResponse, err error) (*createResponse, error) {
		if err == nil {
			response.Volume.ContentSource = source
		}
		return response, err
	}
}

// copyingCopies copies the first copy of a source when there is to be another.
func copyingCopies() mutation.Fault {
	type copied struct{ name, volumeID string }
	var first sync.Map // of each source
	return copying(mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
		asked, source := r.GetVolumeContentSource(), sourceID(r)
		if found, _ := first.Load(source); found != nil && found.(copied).name != r.GetName() {
			r.VolumeContentSource = messages.FromVolume(found.(copied).volumeID)
		}
		response, err := sayingSource(asked)(right.CreateVolume(ctx, r))
		if err == nil {
			first.LoadOrStore(source, copied{r.GetName(), response.GetVolume().GetVolumeId()})
		}
		return response, err
	}))
}

// sharing shows in a volume what was written to its copies, and to those of its snapshots.
func sharing() mutation.Fault {
	var volumes, sources, written sync.Map // the volume of a snapshot, the source of a copy, what was written to the copies of a volume
	const file = "csi-topo"
	return answering(func(r *createRequest, v *csi.Volume) {
		source := sourceID(r)
		if volume, found := volumes.Load(source); found {
			source = volume.(string)
		}
		sources.Store(v.GetVolumeId(), source)
	}).And(answeringSnapshot(func(r *snapshotRequest, s *csi.Snapshot) {
		volumes.Store(s.GetSnapshotId(), r.GetSourceVolumeId())
	})).And(mutation.Asking(func(r *csi.NodeUnpublishVolumeRequest) {
		if source, found := sources.Load(r.GetVolumeId()); found {
			if data, err := os.ReadFile(filepath.Join(r.GetTargetPath(), file)); err == nil {
				written.Store(source, data)
			}
		}
	})).And(mutation.Ending(func(r *csi.NodePublishVolumeRequest, response *csi.NodePublishVolumeResponse, err error) (*csi.NodePublishVolumeResponse, error) {
		if data, found := written.Load(r.GetVolumeId()); found && err == nil {
			err = os.WriteFile(filepath.Join(r.GetTargetPath(), file), data.([]byte), 0o600)
		}
		return response, err
	}))
}
