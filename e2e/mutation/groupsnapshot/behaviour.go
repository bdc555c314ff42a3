// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

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

// answering makes a driver that describes a new group wrongly.
func answering(change func(r *takeRequest, group *csi.VolumeGroupSnapshot)) mutation.Fault {
	return mutation.Answering(func(r *takeRequest, response *takeResponse) { change(r, response.GetGroupSnapshot()) })
}

// getting makes a driver whose GetVolumeGroupSnapshot describes a group wrongly.
func getting(change func(group *csi.VolumeGroupSnapshot)) mutation.Fault {
	return mutation.Answering(func(_ *getRequest, response *getResponse) { change(response.GetGroupSnapshot()) })
}

// telling makes a driver that describes a single snapshot of a group wrongly.
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

// memberOf returns the snapshot that a volume is to be created from, if that is part of a group; nil otherwise.
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

// snapshotsOf returns the snapshots of the volume, including snapshots of groups.
func snapshotsOf(ctx context.Context, driver right, volumeID string) []*csi.Snapshot {
	var found []*csi.Snapshot
	response, _ := driver.ListSnapshots(ctx, &csi.ListSnapshotsRequest{SourceVolumeId: volumeID})
	for _, entry := range response.GetEntries() {
		found = append(found, entry.GetSnapshot())
	}
	return found
}

// afterGivingUp makes a driver that goes on with a group that was given up, and does something else when its call is repeated.
func afterGivingUp(instead func(ctx context.Context, driver right, r *takeRequest) (*takeResponse, error)) mutation.Fault {
	return mutation.AfterGivingUp(func(ctx context.Context, driver right, r *takeRequest) (*takeResponse, error) {
		return driver.CreateVolumeGroupSnapshot(ctx, r)
	}, instead)
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
