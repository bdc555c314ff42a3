// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"path"
	"sync"
	"sync/atomic"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// noSnapshots is a driver that claims to take snapshots, and takes none.
func noSnapshots() mutation.Fault {
	return snapshotting(func(context.Context, mutation.Right, *snapshotRequest) (*snapshotResponse, error) {
		return nil, status.Error(codes.Unimplemented, "snapshots are not implemented")
	})
}

// snapshotFaults are drivers that are wrong in one way each, in how they take and delete snapshots.
func snapshotFaults() map[string]mutation.Fault {
	return map[string]mutation.Fault{
		"gives no snapshot_id":               answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) { s.SnapshotId = "" }),
		"does not say of what a snapshot is": answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) { s.SourceVolumeId = "" }),
		"does not say when a snapshot was taken": answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) {
			s.CreationTime = nil
		}),
		"says that a snapshot was taken in 1970": answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) {
			s.CreationTime = &timestamppb.Timestamp{Seconds: 1}
		}),
		"says where a snapshot is usable, and does not claim to": mutation.Unclaimed(csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS),
		"says that a snapshot is usable from where no node is": answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) {
			s.AccessibleTopology = []*csi.Topology{zone("Z9")}
		}),
		"says that a snapshot has a negative size": answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) { s.SizeBytes = -1 }),
		"is ready after the second call":           readyLater(),
		"a snapshot's name is taken forever":       takenForever(),
		"a repeated snapshot is an error":          refusingSnapshotRepeats(),
		"a repeated snapshot is another one":       anotherSnapshotOnRepeat(),
		"a repeated snapshot has another time":     anotherTimeOnRepeat(),
		"a snapshot is always taken just now": mutation.On(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
			response, err := right.CreateSnapshot(ctx, r)
			if err == nil {
				response.Snapshot.CreationTime = timestamppb.Now()
			}
			return response, err
		}),
		"a name has its snapshot, whatever the volume": whenNoSnapshot(codes.AlreadyExists, func(ctx context.Context, right mutation.Right, r *snapshotRequest, _ error) (*snapshotResponse, error) {
			r.Name += "-of-another"
			return right.CreateSnapshot(ctx, r)
		}),
		"INTERNAL for a name that is taken":                      whenNoSnapshot(codes.AlreadyExists, sayingOfSnapshot(codes.Internal)),
		"INTERNAL while another snapshot is pending":             refusingSecond(codes.Internal),
		"ABORTED while another snapshot is pending":              refusingSecond(codes.Aborted),
		"takes two snapshots for one name at once":               twoAtOnce(),
		"a snapshot that was refused is OK when asked for again": forgettingRefusals(),
		"a snapshot of an unknown volume is OK":                  whenNoSnapshot(codes.NotFound, invented),
		"a plain error for an unknown volume":                    whenNoSnapshot(codes.NotFound, sayingOfSnapshot(codes.Unknown)),
		"a refused snapshot leaves another one":                  leavingSnapshot(),
		"snapshots are deleted with their volume":                goingWithVolume(),
		"lists no snapshots of deleted volumes": mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ListSnapshotsRequest) (*csi.ListSnapshotsResponse, error) {
			if r.GetSnapshotId() != "" && volumeGone(ctx, right, r.GetSnapshotId()) {
				return &csi.ListSnapshotsResponse{}, nil
			}
			return right.ListSnapshots(ctx, r)
		}),
		"restores no snapshots of deleted volumes": copying(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
			if volumeGone(ctx, right, r.GetVolumeContentSource().GetSnapshot().GetSnapshotId()) {
				return nil, status.Error(codes.NotFound, "the volume of the snapshot does not exist")
			}
			return right.CreateVolume(ctx, r)
		}),
		"FAILED_PRECONDITION for a volume with snapshots":           keepingVolumes(codes.FailedPrecondition, false),
		"INTERNAL for a volume with snapshots":                      keepingVolumes(codes.Internal, false),
		"refuses to delete a volume with snapshots, and deletes it": keepingVolumes(codes.FailedPrecondition, true),
		"a snapshot that was given up is taken a second time": afterGivingUp(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
			r.Name += "-again"
			return right.CreateSnapshot(ctx, r)
		}),
		"a snapshot that was given up cannot be taken again": afterGivingUp(func(context.Context, mutation.Right, *snapshotRequest) (*snapshotResponse, error) {
			return nil, status.Error(codes.Internal, "there is a snapshot of that name that is not complete")
		}),
		"lists a snapshot before it is cut":               listingEarly(),
		"a deletion that was given up cannot be repeated": refusingDeletions(),
		"says that a snapshot is deleted, and keeps it": mutation.On(func(context.Context, mutation.Right, *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
			return &csi.DeleteSnapshotResponse{}, nil
		}),
		"deletes what a snapshot_id leads to as a path": mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
			r.SnapshotId = path.Base(r.GetSnapshotId())
			return right.DeleteSnapshot(ctx, r)
		}),
		"NOT_FOUND for the deletion of a deleted snapshot": mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
			if _, err := right.GetSnapshot(ctx, &csi.GetSnapshotRequest{SnapshotId: r.GetSnapshotId()}); status.Code(err) == codes.NotFound {
				return nil, err
			}
			return right.DeleteSnapshot(ctx, r)
		}),
	}
}

// readyLater is right: a snapshot is not ready to use when the first call for it is answered.
func readyLater() mutation.Fault {
	var called sync.Map
	return answeringSnapshot(func(r *snapshotRequest, s *csi.Snapshot) {
		if _, again := called.LoadOrStore(r.GetName(), true); !again {
			s.ReadyToUse = false
		}
	})
}

func refusingSnapshotRepeats() mutation.Fault {
	var taken sync.Map
	return snapshotting(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
		response, err := right.CreateSnapshot(ctx, r)
		if err != nil {
			return nil, err
		}
		if _, again := taken.LoadOrStore(r.GetName(), true); again {
			return nil, status.Error(codes.Internal, "the snapshot exists")
		}
		return response, nil
	})
}

func anotherSnapshotOnRepeat() mutation.Fault {
	var taken sync.Map
	return snapshotting(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
		name := r.GetName()
		if _, again := taken.Load(name); again {
			r.Name += "-again"
		}
		response, err := right.CreateSnapshot(ctx, r)
		if err == nil {
			taken.Store(name, true)
		}
		return response, err
	})
}

func anotherTimeOnRepeat() mutation.Fault {
	var calls atomic.Int64
	return answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) {
		s.CreationTime = timestamppb.New(s.GetCreationTime().AsTime().Add(time.Duration(calls.Add(1)) * time.Second))
	})
}

// refusingSecond answers with the code what arrives while another call is pending, which takes long.
func refusingSecond(code codes.Code) mutation.Fault {
	var pending atomic.Int64
	return snapshotting(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
		defer pending.Add(-1)
		if pending.Add(1) > 1 {
			return nil, status.Error(code, "the snapshot is being taken")
		}
		const long = 20 * time.Millisecond
		<-time.After(long)
		return right.CreateSnapshot(ctx, r)
	})
}

// twoAtOnce does not see that a call for the name is pending.
func twoAtOnce() mutation.Fault {
	var pending atomic.Int64
	return snapshotting(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
		defer pending.Add(-1)
		if pending.Add(1) > 1 {
			r.Name += "-at-once"
			return right.CreateSnapshot(ctx, r)
		}
		const long = 20 * time.Millisecond
		<-time.After(long)
		return right.CreateSnapshot(ctx, r)
	})
}

// leavingSnapshot takes a snapshot of another name where it refuses one.
func leavingSnapshot() mutation.Fault {
	return snapshotting(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
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
	snapshot, err := right.GetSnapshot(ctx, &csi.GetSnapshotRequest{SnapshotId: snapshotID})
	if err != nil {
		return false
	}
	_, err = right.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: snapshot.GetSnapshot().GetSourceVolumeId()})
	return status.Code(err) == codes.NotFound
}

func goingWithVolume() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		for _, entry := range snapshotsOf(ctx, right, r.GetVolumeId()) {
			_, _ = right.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: entry.GetSnapshot().GetSnapshotId()})
		}
		return right.DeleteVolume(ctx, r)
	})
}

// keepingVolumes refuses to delete volumes that have snapshots; if gone is set, it deletes them all the same.
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

// takenForever remembers names of snapshots that are deleted.
func takenForever() mutation.Fault {
	var taken sync.Map // id by name
	return snapshotting(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
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
