// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

func listingOfKnownVolumes() mutation.Fault {
	var deleted sync.Map
	return mutation.OnOK(func(r *csi.DeleteVolumeRequest) {
		deleted.Store(r.GetVolumeId(), true)
	}).And(mutation.RefusingSome(codes.Internal, "there is no such volume", func(r *csi.ListSnapshotsRequest) bool {
		_, found := deleted.Load(r.GetSourceVolumeId())
		return found
	}))
}

// snapshotFaults returns drivers that each take and delete snapshots wrongly in one way.
func snapshotFaults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"answers a name of snapshots from memory where the volume is gone": mutation.Wrong(mutation.RememberingInsteadOf(codes.NotFound, (*snapshotRequest).GetName),
			mutation.Fails("snapshot_after_deletion", "CS-17")),
		"gives no snapshot_id": mutation.Wide(answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) { s.SnapshotId = "" }),
			mutation.Fails("snapshot_volume", "SN-01")),
		"does not say of what a snapshot is": mutation.Wrong(
			answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) { s.SourceVolumeId = "" }),
			mutation.Fails("snapshot_volume", "SN-02")),
		"does not say when a snapshot was taken": mutation.Wrong(answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) {
			s.CreationTime = nil
		}), mutation.Fails("snapshot_volume", "SN-03")),
		"says that a snapshot was taken in 1970": mutation.Wrong(answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) {
			s.CreationTime = &timestamppb.Timestamp{Seconds: 1}
		}), mutation.Warns("snapshot_volume", "SN-03")),
		"says where a snapshot is usable, and does not claim to": mutation.Wide(
			mutation.Unclaimed(csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS),
			mutation.Fails("snapshot_volume", "CS-12")),
		"says that a snapshot has a negative size": mutation.Wrong(
			answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) { s.SizeBytes = -1 }),
			mutation.Fails("snapshot_volume", "SN-04")),
		"is ready after the second call": mutation.Wrong(
			mutation.First((*snapshotRequest).GetName, answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) { s.ReadyToUse = false })),
			mutation.Passes("snapshot_volume snapshot_again snapshot_outlives_volume")),
		"is never said to be ready, and can be restored": mutation.Wide(answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) { s.ReadyToUse = false }),
			mutation.Warns("snapshot_ready", "CS-29")),
		"is said to be ready, and cannot be restored": mutation.Wide(readyTooEarly(),
			mutation.Fails("snapshot_ready", "CS-24")),
		"a snapshot's name is taken forever": mutation.Wrong(takenForever(),
			mutation.Fails("snapshot_name_free_after_deletion", "CS-18")),
		"does not tell separators in names of snapshots apart": mutation.Wrong(mutation.Asking(func(r *snapshotRequest) { r.Name = strings.NewReplacer(".", "-", "_", "-").Replace(r.GetName()) }),
			mutation.Fails("snapshot_names", "SN-06")),
		"forgets the names that begin with the name of a deleted snapshot": mutation.Wrong(forgettingNames(),
			mutation.Fails("snapshot_name_free_after_deletion", "CS-03")),
		"deletes the snapshot that has the name of a deleted one when that is deleted again": mutation.Wrong(deletingByName(),
			mutation.Fails("snapshot_name_free_after_deletion", "SN-06")),
		"a repeated snapshot is an error": mutation.Wrong(refusingRepeats(),
			mutation.Fails("snapshot_again snapshot_at_once snapshot_cut_short snapshot_outlives_volume snapshot_name_free_after_deletion", "CS-03")),
		"a repeated snapshot is another one": mutation.Wrong(
			mutation.Again((*snapshotRequest).GetName, mutation.Asking(func(r *snapshotRequest) { r.Name += "-again" })),
			mutation.Fails("snapshot_again snapshot_at_once snapshot_cut_short snapshot_outlives_volume snapshot_name_free_after_deletion", "CS-03"),
			mutation.Fails("snapshot_other_volume", "CS-18")),
		"a repeated snapshot has another time": mutation.Wrong(anotherTimeOnRepeat(), mutation.Fails("snapshot_again", "CS-03")),
		"a snapshot is always taken just now": mutation.Wrong(answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) {
			s.CreationTime = timestamppb.Now()
		}), mutation.Fails("snapshot_again", "CS-03")),
		"a name has its snapshot, whatever the volume": mutation.Wrong(
			mutation.Retrying(codes.AlreadyExists, func(r *snapshotRequest) { r.Name += "-of-another" }), mutation.Fails("snapshot_other_volume", "CS-18")),
		"INTERNAL for a name that is taken": mutation.Wrong(mutation.Recoding[*snapshotRequest](codes.AlreadyExists, codes.Internal),
			mutation.Fails("snapshot_other_volume", "CS-18")),
		"INTERNAL while another snapshot is pending": mutation.Wrong(mutation.RefusingSecond[*snapshotRequest](codes.Internal),
			mutation.Warns("snapshot_at_once", "GEN-02")),
		"ABORTED while another snapshot is pending": mutation.Wrong(mutation.RefusingSecond[*snapshotRequest](codes.Aborted),
			mutation.Passes("snapshot_at_once")),
		"takes two snapshots for one name at once": mutation.Wrong(
			mutation.Meanwhile[*snapshotRequest](mutation.Asking(func(r *snapshotRequest) { r.Name += "-at-once" })), mutation.Fails("snapshot_at_once", "CS-03")),
		"a snapshot that was refused is OK when asked for again": mutation.Wrong(forgettingRefusals(),
			mutation.Fails("snapshot_unknown_volume", "CS-17")).Seen("democratic-csi 8a4a28a"),
		"INTERNAL from a list of the snapshots of a deleted volume": mutation.Wrong(listingOfKnownVolumes(),
			mutation.Passes("snapshot_unknown_volume")),
		"a snapshot of an unknown volume is OK": mutation.Wrong(mutation.InsteadOf(codes.NotFound, func(_ context.Context, _ mutation.Right, r *snapshotRequest, _ error) (*snapshotResponse, error) {
			return &snapshotResponse{Snapshot: &csi.Snapshot{SnapshotId: "memory-01a1fde4-30d5-76bf-8bf5-a515eadaa011", SourceVolumeId: r.GetSourceVolumeId(), ReadyToUse: true}}, nil
		}), mutation.Fails("snapshot_unknown_volume snapshot_after_deletion", "CS-17")),
		"a plain error for an unknown volume": mutation.Wrong(mutation.Recoding[*snapshotRequest](codes.NotFound, codes.Unknown),
			mutation.Warns("snapshot_unknown_volume snapshot_after_deletion", "GEN-09")),
		"a refused snapshot leaves another one": mutation.Wrong(leavingSnapshot(),
			mutation.Warns("snapshot_other_volume", "CS-17 CV-07")),
		"looks for the volume first when a snapshot is asked for again": mutation.Wide(volumesFirst(),
			mutation.Fails("snapshot_outlives_volume", "CS-03")),
		"snapshots are deleted with their volume": mutation.Wrong(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
			for _, entry := range snapshotsOf(ctx, right, r.GetVolumeId()) {
				_, _ = right.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: entry.GetSnapshot().GetSnapshotId()})
			}
			return right.DeleteVolume(ctx, r)
		}), mutation.Fails("snapshot_outlives_volume", "DV-03")),
		"lists no snapshots of deleted volumes": mutation.Wrong(
			mutation.On(func(ctx context.Context, right mutation.Right, r *listRequest) (*listResponse, error) {
				if r.GetSnapshotId() != "" && volumeGone(ctx, right, r.GetSnapshotId()) {
					return &listResponse{}, nil
				}
				return right.ListSnapshots(ctx, r)
			}), mutation.Fails("snapshot_outlives_volume", "DV-03")),
		"restores no snapshots of deleted volumes": mutation.Wrong(
			copying(mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
				if volumeGone(ctx, right, r.GetVolumeContentSource().GetSnapshot().GetSnapshotId()) {
					return nil, status.Error(codes.NotFound, "the volume of the snapshot does not exist")
				}
				return right.CreateVolume(ctx, r)
			})), mutation.Fails("snapshot_outlives_volume", "DV-03")),
		"FAILED_PRECONDITION for a volume with snapshots": mutation.Wrong(keepingVolumes(codes.FailedPrecondition, false),
			mutation.Warns("snapshot_outlives_volume", "DV-06")),
		"keeps of a deleted volume its newest snapshot only": mutation.Wide(keepingNewest(),
			mutation.Fails("snapshot_outlives_volume", "DV-03")),
		"INTERNAL for a volume with snapshots": mutation.Wrong(keepingVolumes(codes.Internal, false),
			mutation.Fails("snapshot_outlives_volume", "DV-04")),
		"refuses to delete a volume with snapshots, and deletes it": mutation.Wrong(keepingVolumes(codes.FailedPrecondition, true),
			mutation.Fails("snapshot_outlives_volume", "DV-04")),
		"a snapshot that was given up is taken a second time": mutation.Wrong(
			afterGivingUp(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
				r.Name += "-again"
				return right.CreateSnapshot(ctx, r)
			}), mutation.Fails("snapshot_cut_short", "CS-03")),
		"a snapshot that was given up cannot be taken again": mutation.Wrong(
			afterGivingUp(func(context.Context, mutation.Right, *snapshotRequest) (*snapshotResponse, error) {
				return nil, status.Error(codes.Internal, "there is a snapshot of that name that is not complete")
			}), mutation.Fails("snapshot_cut_short", "CS-03")),
		"lists a snapshot before it is cut": mutation.Wrong(listingEarly(), mutation.Fails("snapshot_cut_short", "LS-07")),
		"a deletion that was given up cannot be repeated": mutation.Wrong(mutation.RefusingDeletions((*csi.DeleteSnapshotRequest).GetSnapshotId,
			func(ctx context.Context, right mutation.Right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
				return right.DeleteSnapshot(ctx, r)
			}), mutation.Fails("snapshot_deleted_again", "DS-01")),
		"says that a snapshot is deleted, and keeps it": mutation.Wide(
			mutation.Instead(func(*csi.DeleteSnapshotRequest) *csi.DeleteSnapshotResponse { return &csi.DeleteSnapshotResponse{} }), mutation.Warns("snapshot_deleted_again", "DS-01 CV-07")),
		"deletes what a snapshot_id leads to as a path": mutation.Wrong(mutation.Asking(func(r *csi.DeleteSnapshotRequest) {
			r.SnapshotId = path.Base(r.GetSnapshotId())
		}), mutation.Fails("snapshot_deleted_by_path", "SN-06")).Seen("csi-driver-host-path issue 644, CVE-2026-3864, CVE-2026-3865"),
		"NOT_FOUND for the deletion of a deleted snapshot": mutation.Wrong(
			mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
				if _, err := right.GetSnapshot(ctx, &getRequest{SnapshotId: r.GetSnapshotId()}); status.Code(err) == codes.NotFound {
					return nil, err
				}
				return right.DeleteSnapshot(ctx, r)
			}), mutation.Fails("snapshot_deleted_again", "DS-02")),
	}
}

// readyTooEarly makes a driver that restores no snapshot until it was requested twice, though its first answer says that it
// is ready.
func readyTooEarly() mutation.Fault {
	var ready sync.Map
	return mutation.Answering(func(r *snapshotRequest, response *snapshotResponse) {
		_, again := ready.LoadOrStore("asked "+r.GetName(), true)
		ready.Store(response.GetSnapshot().GetSnapshotId(), again)
	}).And(copying(mutation.Checking(func(r *createRequest) error {
		if is, _ := ready.Load(sourceID(r)); is == false {
			return status.Error(codes.FailedPrecondition, "the snapshot is still being uploaded")
		}
		return nil
	})))
}

func refusingRepeats() mutation.Fault {
	return mutation.Again((*snapshotRequest).GetName,
		mutation.InsteadOf(codes.OK, func(context.Context, mutation.Right, *snapshotRequest, error) (*snapshotResponse, error) {
			return nil, status.Error(codes.Internal, "the snapshot exists")
		}))
}

func anotherTimeOnRepeat() mutation.Fault {
	var calls atomic.Int64
	return answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) {
		s.CreationTime = timestamppb.New(s.GetCreationTime().AsTime().Add(time.Duration(calls.Add(1)) * time.Second))
	})
}

// leavingSnapshot makes a driver that takes a snapshot of another name when it refuses one.
func leavingSnapshot() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
		response, err := right.CreateSnapshot(ctx, r)
		if err == nil {
			return response, nil
		}
		left := &snapshotRequest{Name: r.GetName() + "-left", SourceVolumeId: r.GetSourceVolumeId()}
		_, _ = right.CreateSnapshot(ctx, left)
		return nil, err
	})
}

// volumeGone reports whether the snapshot exists and its volume does not.
func volumeGone(ctx context.Context, right mutation.Right, snapshotID string) bool {
	snapshot, err := right.GetSnapshot(ctx, &getRequest{SnapshotId: snapshotID})
	if err != nil {
		return false
	}
	_, err = right.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: snapshot.GetSnapshot().GetSourceVolumeId()})
	return status.Code(err) == codes.NotFound
}

// keepingVolumes makes a driver that refuses to delete volumes that have snapshots; with gone, it deletes them anyway.
func keepingVolumes(code codes.Code, gone bool) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		if len(snapshotsOf(ctx, right, r.GetVolumeId())) == 0 {
			return right.DeleteVolume(ctx, r)
		}
		if gone {
			if _, err := right.DeleteVolume(ctx, r); err != nil {
				return nil, err
			}
		}
		return nil, status.Error(code, "the volume has snapshots")
	})
}

func takenForever() mutation.Fault {
	var taken sync.Map // id by name
	return mutation.On(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
		response, err := right.CreateSnapshot(ctx, r)
		if err != nil {
			return nil, err
		}
		id := response.GetSnapshot().GetSnapshotId()
		if before, found := taken.LoadOrStore(r.GetName(), id); !found || before == id {
			return response, nil
		}
		if _, err := right.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: id}); err != nil {
			return nil, err
		}
		return nil, status.Error(codes.AlreadyExists, "the name was used before")
	})
}

// keepingNewest makes a driver whose snapshots are differences from the next one, and which deletes a snapshot once it has
// no next one.
func keepingNewest() mutation.Fault {
	var mu sync.Mutex
	of := map[string][]string{} // the snapshots of volumes
	return mutation.Answering(func(r *snapshotRequest, response *snapshotResponse) {
		mu.Lock()
		defer mu.Unlock()
		if id := response.GetSnapshot().GetSnapshotId(); !slices.Contains(of[r.GetSourceVolumeId()], id) {
			of[r.GetSourceVolumeId()] = append(of[r.GetSourceVolumeId()], id)
		}
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		response, err := right.DeleteVolume(ctx, r)
		mu.Lock()
		defer mu.Unlock()
		for i, id := range of[r.GetVolumeId()] {
			if err == nil && i < len(of[r.GetVolumeId()])-1 {
				_, _ = right.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: id})
			}
		}
		return response, err
	}))
}

func volumesFirst() mutation.Fault {
	var deleted sync.Map
	return mutation.OnOK(func(r *csi.DeleteVolumeRequest) {
		deleted.Store(r.GetVolumeId(), true)
	}).And(mutation.RefusingSome(codes.NotFound, "the volume does not exist", func(r *csi.CreateSnapshotRequest) bool {
		_, gone := deleted.Load(r.GetSourceVolumeId())
		return gone
	}))
}

// deletingByName makes a driver that keeps the name of every snapshot that it ever had, and deletes the latest snapshot of
// the name.
func deletingByName() mutation.Fault {
	var names, latest sync.Map // of snapshots, by id, and ids by name
	return answeringSnapshot(func(r *snapshotRequest, s *csi.Snapshot) {
		names.Store(s.GetSnapshotId(), r.GetName())
		latest.Store(r.GetName(), s.GetSnapshotId())
	}).And(mutation.Asking(func(r *csi.DeleteSnapshotRequest) {
		if name, found := names.Load(r.GetSnapshotId()); found {
			id, _ := latest.Load(name)
			r.SnapshotId = id.(string)
		}
	}))
}

func forgettingNames() mutation.Fault {
	var names, removed sync.Map // of snapshots, by id, and of deleted ones
	return mutation.On(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*csi.CreateSnapshotResponse, error) {
		name := r.GetName()
		for deleted := range removed.Range {
			if name != deleted && strings.HasPrefix(name, deleted.(string)) {
				r.Name = name + "-again"
			}
		}
		response, err := right.CreateSnapshot(ctx, r)
		names.Store(response.GetSnapshot().GetSnapshotId(), name)
		return response, err
	}).And(mutation.OnOK(func(r *csi.DeleteSnapshotRequest) {
		if name, found := names.Load(r.GetSnapshotId()); found {
			removed.Store(name, true)
		}
	}))
}
