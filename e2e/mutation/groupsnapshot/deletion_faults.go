// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// deletionFaults returns drivers that each delete group snapshots wrongly in one way.
func deletionFaults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"deletes no groups":                          mutation.Wide(mutation.RefusingAll[*deleteRequest](codes.Internal, "groups stay"), mutation.Fails(deleted, "VGS-21")),
		"says that a group is deleted, and keeps it": mutation.Wide(mutation.Instead(func(*deleteRequest) *deleteResponse { return &deleteResponse{} }), mutation.Warns(deleted+" "+deletionCut, "VGS-21 CV-07")),
		"NOT_FOUND for the deletion of a deleted group": mutation.Wide(
			mutation.On(func(ctx context.Context, driver right, r *deleteRequest) (*deleteResponse, error) {
				_, err := driver.GetVolumeGroupSnapshot(ctx, &getRequest{GroupSnapshotId: r.GetGroupSnapshotId(), SnapshotIds: r.GetSnapshotIds()})
				if status.Code(err) == codes.NotFound {
					return nil, err
				}
				return driver.DeleteVolumeGroupSnapshot(ctx, r)
			}), mutation.Fails(deleted+" "+deleteUnknown, "VGS-23")),
		"a deletion of a group that was given up cannot be repeated": mutation.Wrong(mutation.RefusingDeletions((*deleteRequest).GetGroupSnapshotId, func(ctx context.Context, driver right, r *deleteRequest) (*deleteResponse, error) {
			return driver.DeleteVolumeGroupSnapshot(ctx, r)
		}), mutation.Fails(deletionCut, "VGS-22")),
		"deletes all groups of the volumes": mutation.Wide(goingWithGroup(func(ctx context.Context, driver right, group *csi.VolumeGroupSnapshot) {
			for _, member := range group.GetSnapshots() {
				for _, snapshot := range snapshotsOf(ctx, driver, member.GetSourceVolumeId()) {
					removeGroup(ctx, driver, snapshot)
				}
			}
		}), mutation.Fails(deleted, "VGS-21")),
		"deletes the volumes with a group": mutation.Wide(goingWithGroup(func(ctx context.Context, driver right, group *csi.VolumeGroupSnapshot) {
			for _, member := range group.GetSnapshots() {
				_, _ = driver.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: member.GetSourceVolumeId()})
			}
		}), mutation.Fails(deleted, "VGS-21")),
		"deletes the last group where there is none of the id": mutation.Wrong(deletingTheLast(),
			mutation.Fails(deleteUnknown, "VGS-14")),
		"forgets the names that begin with the name of a deleted group": mutation.Wrong(forgetting(strings.HasPrefix),
			mutation.Fails(deleted, "VGS-02")),
		"forgets the names that the name of a deleted group begins with": mutation.Wrong(forgetting(func(name, deleted string) bool { return strings.HasPrefix(deleted, name) }),
			mutation.Fails(deleted, "VGS-02")),
		"keeps the snapshots of a deleted group that volumes were restored from": mutation.Wrong(keepingOrigins(),
			mutation.Fails(inUse, "VGS-21")),
		"deletes the group that has the name of a deleted one": mutation.Wrong(deletingByName(),
			mutation.Fails(nameFree, "VGS-14")),
		"the name of a group is taken forever": mutation.Wrong(takenForever(), mutation.Warns(nameFree, "VGS-18")),
	}
}

func deletingTheLast() mutation.Fault {
	var last sync.Map // the request to delete the last group of each volume, and whether an id was ever a group's
	return answering(func(r *takeRequest, group *csi.VolumeGroupSnapshot) {
		last.Store("last", deletionOf(group))
		last.Store(group.GetGroupSnapshotId(), true)
	}).And(mutation.On(func(ctx context.Context, driver right, r *deleteRequest) (*deleteResponse, error) {
		if _, known := last.Load(r.GetGroupSnapshotId()); !known {
			if request, taken := last.Load("last"); taken {
				return driver.DeleteVolumeGroupSnapshot(ctx, request.(*deleteRequest))
			}
		}
		return driver.DeleteVolumeGroupSnapshot(ctx, r)
	}))
}

func deletingByName() mutation.Fault {
	var names, last sync.Map // of groups, by id; and the requests to delete the last group of each name
	return answering(func(r *takeRequest, group *csi.VolumeGroupSnapshot) {
		names.Store(group.GetGroupSnapshotId(), r.GetName())
		last.Store(r.GetName(), deletionOf(group))
	}).And(mutation.Asking(func(r *deleteRequest) {
		name, known := names.Load(r.GetGroupSnapshotId())
		if !known {
			return
		}
		request, _ := last.Load(name)
		if later := request.(*deleteRequest); later.GetGroupSnapshotId() != r.GetGroupSnapshotId() {
			r.GroupSnapshotId, r.SnapshotIds = later.GetGroupSnapshotId(), later.GetSnapshotIds()
		}
	}))
}

func deletionOf(group *csi.VolumeGroupSnapshot) *deleteRequest {
	request := &deleteRequest{GroupSnapshotId: group.GetGroupSnapshotId()}
	for _, member := range group.GetSnapshots() {
		request.SnapshotIds = append(request.SnapshotIds, member.GetSnapshotId())
	}
	return request
}

// forgetting makes a driver that takes another group for a name that is like the name of a deleted group.
func forgetting(like func(name, deleted string) bool) mutation.Fault {
	var names, removed sync.Map // of groups, by id, and of deleted ones
	return mutation.On(func(ctx context.Context, driver right, r *takeRequest) (*takeResponse, error) {
		name := r.GetName()
		for deleted := range removed.Range {
			if name != deleted && like(name, deleted.(string)) {
				r.Name = name + "-again"
			}
		}
		response, err := driver.CreateVolumeGroupSnapshot(ctx, r)
		names.Store(response.GetGroupSnapshot().GetGroupSnapshotId(), name)
		return response, err
	}).And(mutation.OnOK(func(r *deleteRequest) {
		if name, found := names.Load(r.GetGroupSnapshotId()); found {
			removed.Store(name, true)
		}
	}))
}

func keepingOrigins() mutation.Fault {
	var origins, kept sync.Map // by snapshot_id
	return mutation.AnsweringVolume(func(r *csi.CreateVolumeRequest, _ *csi.Volume) {
		origins.Store(r.GetVolumeContentSource().GetSnapshot().GetSnapshotId(), true)
	}).And(goingWithGroup(func(_ context.Context, _ right, group *csi.VolumeGroupSnapshot) {
		for _, member := range group.GetSnapshots() {
			if _, restored := origins.Load(member.GetSnapshotId()); restored {
				kept.Store(member.GetSnapshotId(), member)
			}
		}
	})).And(mutation.InsteadOf(codes.NotFound, func(_ context.Context, _ right, r *csi.GetSnapshotRequest, refused error) (*csi.GetSnapshotResponse, error) {
		if member, found := kept.Load(r.GetSnapshotId()); found {
			return &csi.GetSnapshotResponse{Snapshot: member.(*csi.Snapshot)}, nil
		}
		return nil, refused
	}))
}

func takenForever() mutation.Fault {
	var named sync.Map // id by name
	return mutation.On(func(ctx context.Context, driver right, r *takeRequest) (*takeResponse, error) {
		response, err := driver.CreateVolumeGroupSnapshot(ctx, r)
		if err != nil {
			return nil, err
		}
		group := response.GetGroupSnapshot()
		if before, found := named.LoadOrStore(r.GetName(), group.GetGroupSnapshotId()); !found || before == group.GetGroupSnapshotId() {
			return response, nil
		}
		removeGroup(ctx, driver, group.GetSnapshots()[0])
		return nil, status.Error(codes.AlreadyExists, "the name was used before")
	})
}
