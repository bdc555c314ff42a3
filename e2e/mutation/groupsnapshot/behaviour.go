// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

type (
	takeRequest    = csi.CreateVolumeGroupSnapshotRequest
	takeResponse   = csi.CreateVolumeGroupSnapshotResponse
	deleteRequest  = csi.DeleteVolumeGroupSnapshotRequest
	deleteResponse = csi.DeleteVolumeGroupSnapshotResponse
	getRequest     = csi.GetVolumeGroupSnapshotRequest
	getResponse    = csi.GetVolumeGroupSnapshotResponse
	right          = mutation.Right
)

// answering makes a driver that describes a new group otherwise than it is.
func answering(change func(r *takeRequest, group *csi.VolumeGroupSnapshot)) mutation.Fault {
	return mutation.Answering(func(r *takeRequest, response *takeResponse) { change(r, response.GetGroupSnapshot()) })
}

// getting makes a driver that describes a group otherwise than it is when it is asked for it.
func getting(change func(group *csi.VolumeGroupSnapshot)) mutation.Fault {
	return mutation.Answering(func(_ *getRequest, response *getResponse) { change(response.GetGroupSnapshot()) })
}

// telling makes a driver that describes a single snapshot of a group otherwise than it is.
func telling(change func(*csi.Snapshot)) mutation.Fault {
	ofGroup := func(s *csi.Snapshot) {
		if s.GetGroupSnapshotId() != "" {
			change(s)
		}
	}
	return mutation.Answering(func(_ *csi.GetSnapshotRequest, response *csi.GetSnapshotResponse) {
		ofGroup(response.GetSnapshot())
	}).And(mutation.Answering(func(_ *csi.ListSnapshotsRequest, response *csi.ListSnapshotsResponse) {
		for _, entry := range response.GetEntries() {
			ofGroup(entry.GetSnapshot())
		}
	}))
}

// memberOf is the snapshot that a volume is to be created from, if that is part of a group; nil otherwise.
func memberOf(ctx context.Context, driver right, r *csi.CreateVolumeRequest) *csi.Snapshot {
	id := r.GetVolumeContentSource().GetSnapshot().GetSnapshotId()
	if id == "" {
		return nil
	}
	got, err := driver.GetSnapshot(ctx, &csi.GetSnapshotRequest{SnapshotId: id})
	if err != nil || got.GetSnapshot().GetGroupSnapshotId() == "" {
		return nil
	}
	return got.GetSnapshot()
}

// restoring makes a driver that creates a volume from a snapshot of a group in another way.
func restoring(instead func(ctx context.Context, driver right, r *csi.CreateVolumeRequest, from *csi.Snapshot) (*csi.CreateVolumeResponse, error)) mutation.Fault {
	return mutation.On(func(ctx context.Context, driver right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		if from := memberOf(ctx, driver, r); from != nil {
			return instead(ctx, driver, r, from)
		}
		return driver.CreateVolume(ctx, r)
	})
}

// snapshotsOf are the snapshots of the volume, those of groups and others.
func snapshotsOf(ctx context.Context, driver right, volumeID string) []*csi.Snapshot {
	var found []*csi.Snapshot
	response, _ := driver.ListSnapshots(ctx, &csi.ListSnapshotsRequest{SourceVolumeId: volumeID})
	for _, entry := range response.GetEntries() {
		found = append(found, entry.GetSnapshot())
	}
	return found
}

// takes is how long these drivers take for a call, which is long enough for it to be given up.
const takes = 5 * time.Millisecond

// afterGivingUp makes a driver that goes on with a call that was given up, and does something else when it is repeated.
func afterGivingUp(instead func(ctx context.Context, driver right, r *takeRequest) (*takeResponse, error)) mutation.Fault {
	var givenUp sync.Map
	return mutation.On(func(ctx context.Context, driver right, r *takeRequest) (*takeResponse, error) {
		if _, again := givenUp.Load(r.GetName()); again {
			return instead(ctx, driver, r)
		}
		select {
		case <-time.After(takes):
			return driver.CreateVolumeGroupSnapshot(ctx, r)
		case <-ctx.Done():
		}
		givenUp.Store(r.GetName(), true)
		_, _ = driver.CreateVolumeGroupSnapshot(context.WithoutCancel(ctx), r)
		return nil, status.FromContextError(ctx.Err()).Err()
	})
}

// refusingDeletions makes a driver that refuses three times to go on with a deletion that was given up.
func refusingDeletions() mutation.Fault {
	var mu sync.Mutex
	refusals := map[string]int{}
	refuses := func(id string) bool {
		mu.Lock()
		defer mu.Unlock()
		refusals[id]--
		return refusals[id] >= 0
	}
	return mutation.On(func(ctx context.Context, driver right, r *deleteRequest) (*deleteResponse, error) {
		if refuses(r.GetGroupSnapshotId()) {
			return nil, status.Error(codes.Internal, "the group snapshot is only partly there")
		}
		select {
		case <-time.After(takes):
			return driver.DeleteVolumeGroupSnapshot(ctx, r)
		case <-ctx.Done():
		}
		mu.Lock()
		defer mu.Unlock()
		refusals[r.GetGroupSnapshotId()] = 3
		return nil, status.FromContextError(ctx.Err()).Err()
	})
}

// goingWithGroup makes a driver that deletes something else with a group.
func goingWithGroup(also func(ctx context.Context, driver right, group *csi.VolumeGroupSnapshot)) mutation.Fault {
	return mutation.On(func(ctx context.Context, driver right, r *deleteRequest) (*deleteResponse, error) {
		got, _ := driver.GetVolumeGroupSnapshot(ctx, &getRequest{GroupSnapshotId: r.GetGroupSnapshotId(), SnapshotIds: r.GetSnapshotIds()})
		response, err := driver.DeleteVolumeGroupSnapshot(ctx, r)
		if err == nil {
			also(ctx, driver, got.GetGroupSnapshot())
		}
		return response, err
	})
}
