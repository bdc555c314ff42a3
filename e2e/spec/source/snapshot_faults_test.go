package source_test

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

// noSnapshots is a driver that claims to take snapshots, and takes none.
func noSnapshots() spectest.Fault {
	return snapshotting(func(context.Context, spectest.Right, *snapshotRequest) (*snapshotResponse, error) {
		return nil, status.Error(codes.Unimplemented, "there are no snapshots")
	})
}

// snapshotFaults are drivers that are wrong in one way each, in how they take and delete snapshots.
var snapshotFaults = map[string]spectest.Fault{
	"does not say of what a snapshot is": answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) { s.SourceVolumeId = "" }),
	"does not say when a snapshot was taken": answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) {
		s.CreationTime = nil
	}),
	"says that a snapshot has a negative size": answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) { s.SizeBytes = -1 }),
	"is ready after the second call":           readyLater(),
	"a repeated snapshot is an error":          refusingSnapshotRepeats(),
	"a repeated snapshot is another one":       anotherSnapshotOnRepeat(),
	"a repeated snapshot has another time":     anotherTimeOnRepeat(),
	"a name has its snapshot, whatever the volume": whenNoSnapshot(codes.AlreadyExists, func(ctx context.Context, right spectest.Right, r *snapshotRequest, _ error) (*snapshotResponse, error) {
		r.Name += "-of-another"
		return right.CreateSnapshot(ctx, r)
	}),
	"INTERNAL for a name that is taken":          whenNoSnapshot(codes.AlreadyExists, sayingOfSnapshot(codes.Internal)),
	"INTERNAL while another snapshot is pending": refusingSecond(codes.Internal),
	"ABORTED while another snapshot is pending":  refusingSecond(codes.Aborted),
	"takes two snapshots for one name at once":   twoAtOnce(),
	"a snapshot of an unknown volume is OK":      whenNoSnapshot(codes.NotFound, invented),
	"a plain error for an unknown volume":        whenNoSnapshot(codes.NotFound, sayingOfSnapshot(codes.Unknown)),
	"INTERNAL without room for a snapshot":       whenNoSnapshot(codes.ResourceExhausted, sayingOfSnapshot(codes.Internal)),
	"a refused snapshot leaves another one":      leavingSnapshot(),
	"snapshots go with their volume":             goingWithVolume(),
	"lists no snapshots of volumes that have gone": spectest.On(func(ctx context.Context, right spectest.Right, r *csi.ListSnapshotsRequest) (*csi.ListSnapshotsResponse, error) {
		if r.GetSnapshotId() != "" && volumeGone(ctx, right, r.GetSnapshotId()) {
			return &csi.ListSnapshotsResponse{}, nil
		}
		return right.ListSnapshots(ctx, r)
	}),
	"restores no snapshots of volumes that have gone": copying(func(ctx context.Context, right spectest.Right, r *createRequest) (*createResponse, error) {
		if volumeGone(ctx, right, r.GetVolumeContentSource().GetSnapshot().GetSnapshotId()) {
			return nil, status.Error(codes.NotFound, "the volume of the snapshot is gone")
		}
		return right.CreateVolume(ctx, r)
	}),
	"a volume with snapshots is kept":             keepingVolumes(codes.FailedPrecondition, false),
	"a volume with snapshots is INTERNAL":         keepingVolumes(codes.Internal, false),
	"a volume with snapshots is refused and gone": keepingVolumes(codes.FailedPrecondition, true),
	"a snapshot that is gone is NOT_FOUND": spectest.On(func(ctx context.Context, right spectest.Right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
		if _, err := right.GetSnapshot(ctx, &csi.GetSnapshotRequest{SnapshotId: r.GetSnapshotId()}); status.Code(err) == codes.NotFound {
			return nil, err
		}
		return right.DeleteSnapshot(ctx, r)
	}),
}

// readyLater is right: a snapshot is not ready to use when the first call for it is answered.
func readyLater() spectest.Fault {
	var called sync.Map
	return answeringSnapshot(func(r *snapshotRequest, s *csi.Snapshot) {
		if _, again := called.LoadOrStore(r.GetName(), true); !again {
			s.ReadyToUse = false
		}
	})
}

func refusingSnapshotRepeats() spectest.Fault {
	var taken sync.Map
	return snapshotting(func(ctx context.Context, right spectest.Right, r *snapshotRequest) (*snapshotResponse, error) {
		response, err := right.CreateSnapshot(ctx, r)
		if _, again := taken.LoadOrStore(r.GetName(), true); again && err == nil {
			return nil, status.Error(codes.Internal, "the snapshot is there")
		}
		return response, err
	})
}

func anotherSnapshotOnRepeat() spectest.Fault {
	var taken sync.Map
	return snapshotting(func(ctx context.Context, right spectest.Right, r *snapshotRequest) (*snapshotResponse, error) {
		if _, again := taken.LoadOrStore(r.GetName(), true); again {
			r.Name += "-again"
		}
		return right.CreateSnapshot(ctx, r)
	})
}

func anotherTimeOnRepeat() spectest.Fault {
	var calls atomic.Int64
	return answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) {
		s.CreationTime = timestamppb.New(s.GetCreationTime().AsTime().Add(time.Duration(calls.Add(1)) * time.Second))
	})
}

// refusingSecond answers with the code what arrives while another call is pending, which takes long.
func refusingSecond(code codes.Code) spectest.Fault {
	var pending atomic.Int64
	return snapshotting(func(ctx context.Context, right spectest.Right, r *snapshotRequest) (*snapshotResponse, error) {
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
func twoAtOnce() spectest.Fault {
	var pending atomic.Int64
	return snapshotting(func(ctx context.Context, right spectest.Right, r *snapshotRequest) (*snapshotResponse, error) {
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

// leavingSnapshot takes a snapshot of another name, of a volume of its own, where it refuses one.
func leavingSnapshot() spectest.Fault {
	return snapshotting(func(ctx context.Context, right spectest.Right, r *snapshotRequest) (*snapshotResponse, error) {
		response, err := right.CreateSnapshot(ctx, r)
		if err == nil {
			return response, nil
		}
		volume, errOfVolume := right.CreateVolume(ctx, &csi.CreateVolumeRequest{
			Name: r.GetName() + "-left", CapacityRange: &csi.CapacityRange{RequiredBytes: 1 << 20},
			VolumeCapabilities: []*csi.VolumeCapability{{
				AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
				AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
			}},
		})
		if errOfVolume != nil {
			return nil, errOfVolume
		}
		left := &snapshotRequest{Name: r.GetName() + "-left", SourceVolumeId: volume.GetVolume().GetVolumeId()}
		if _, errOfLeft := right.CreateSnapshot(ctx, left); errOfLeft != nil {
			return nil, errOfLeft
		}
		return nil, err
	})
}

// volumeGone reports whether the driver that is right has the snapshot, and not its volume.
func volumeGone(ctx context.Context, right spectest.Right, snapshotID string) bool {
	snapshot, err := right.GetSnapshot(ctx, &csi.GetSnapshotRequest{SnapshotId: snapshotID})
	if err != nil {
		return false
	}
	_, err = right.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: snapshot.GetSnapshot().GetSourceVolumeId()})
	return status.Code(err) == codes.NotFound
}

func goingWithVolume() spectest.Fault {
	return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		for _, entry := range snapshotsOf(ctx, right, r.GetVolumeId()) {
			_, _ = right.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: entry.GetSnapshot().GetSnapshotId()})
		}
		return right.DeleteVolume(ctx, r)
	})
}

// keepingVolumes refuses to delete volumes that have snapshots, and deletes them all the same if gone says so.
func keepingVolumes(code codes.Code, gone bool) spectest.Fault {
	return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
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
