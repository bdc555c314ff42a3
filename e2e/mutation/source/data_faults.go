// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// later maps the ids of snapshots to the snapshots that are restored, and deleted, in their place.
type later struct{ sync.Map }

func (l *later) restored() mutation.Fault {
	return hiding(func(r *createRequest) {
		if id, found := l.Load(r.GetVolumeContentSource().GetSnapshot().GetSnapshotId()); found {
			r.VolumeContentSource = messages.FromSnapshot(id.(string))
		}
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
		if id, found := l.LoadAndDelete(r.GetSnapshotId()); found {
			_, _ = right.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: id.(string)})
		}
		return right.DeleteSnapshot(ctx, r)
	}))
}

// cuttingLate makes a driver that takes another snapshot of a volume when the volume is deleted, and restores that one.
func cuttingLate() mutation.Fault {
	late := &later{}
	return late.restored().And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		for _, entry := range snapshotsOf(ctx, right, r.GetVolumeId()) {
			id := entry.GetSnapshot().GetSnapshotId()
			response, err := right.CreateSnapshot(ctx, &csi.CreateSnapshotRequest{Name: id, SourceVolumeId: r.GetVolumeId()})
			if err == nil {
				late.Store(id, response.GetSnapshot().GetSnapshotId())
			}
		}
		return right.DeleteVolume(ctx, r)
	}))
}

func copyingCopies() mutation.Fault {
	type copied struct{ name, volumeID string }
	var first sync.Map // of each source
	return answering(func(r *createRequest, v *csi.Volume) {
		first.LoadOrStore(sourceID(r), copied{r.GetName(), v.GetVolumeId()})
	}).Over(hiding(func(r *createRequest) {
		if found, _ := first.Load(sourceID(r)); found != nil && found.(copied).name != r.GetName() {
			r.VolumeContentSource = messages.FromVolume(found.(copied).volumeID)
		}
	}))
}

// notingSources stores the source volume of each copy by the copy's id. The source of a restored volume is the volume of
// its snapshot.
func notingSources(sources *sync.Map) mutation.Fault {
	var volumes sync.Map // of snapshots
	return answering(func(r *createRequest, v *csi.Volume) {
		source := sourceID(r)
		if volume, found := volumes.Load(source); found {
			source = volume.(string)
		}
		sources.Store(v.GetVolumeId(), source)
	}).And(answeringSnapshot(func(r *snapshotRequest, s *csi.Snapshot) {
		volumes.Store(s.GetSnapshotId(), r.GetSourceVolumeId())
	}))
}

func sharing() mutation.Fault {
	var sources, written sync.Map // the source of a copy, and the writes to the copies of a volume
	return notingSources(&sources).And(mutation.Asking(func(r *csi.NodeUnpublishVolumeRequest) {
		if source, found := sources.Load(r.GetVolumeId()); found {
			if files := mutation.ReadFiles(r.GetTargetPath()); len(files) > 0 {
				written.Store(source, files)
			}
		}
	})).And(mutation.OnOK(func(r *csi.NodePublishVolumeRequest) {
		if files, found := written.Load(r.GetVolumeId()); found {
			mutation.WriteFiles(r.GetTargetPath(), files.(map[string][]byte))
		}
	}))
}

func restoringTheLatest() mutation.Fault {
	var volumes, latest sync.Map // the volume of a snapshot, and the last snapshot of a volume
	return hiding(func(r *createRequest) {
		volume, _ := volumes.Load(r.GetVolumeContentSource().GetSnapshot().GetSnapshotId())
		if id, found := latest.Load(volume); found {
			r.VolumeContentSource = messages.FromSnapshot(id.(string))
		}
	}).And(answeringSnapshot(func(r *snapshotRequest, s *csi.Snapshot) {
		if _, again := volumes.LoadOrStore(s.GetSnapshotId(), r.GetSourceVolumeId()); !again {
			latest.Store(r.GetSourceVolumeId(), s.GetSnapshotId())
		}
	}))
}

// copyingTheSame makes a driver that reuses an earlier copy of the volume, or of one of its snapshots: the first one for
// each copy or, with larger, the last one for a copy that is larger than usual.
func copyingTheSame(larger bool) mutation.Fault {
	var volumes, copied sync.Map // the volume of a snapshot, and the copies of a volume
	return hiding(func(r *createRequest) {
		var of any = sourceID(r)
		if volume, found := volumes.Load(of); found {
			of = volume
		}
		before, found := copied.Load(of)
		if found && (!larger || r.GetCapacityRange().GetRequiredBytes() > size) {
			r.VolumeContentSource = before.(*csi.VolumeContentSource)
		}
		copied.Store(of, r.GetVolumeContentSource())
	}).And(answeringSnapshot(func(r *snapshotRequest, s *csi.Snapshot) {
		volumes.Store(s.GetSnapshotId(), r.GetSourceVolumeId())
	}))
}
