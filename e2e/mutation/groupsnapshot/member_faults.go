// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// memberFaults returns drivers that each report groups and their snapshots wrongly in one way.
func memberFaults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"lists no snapshots of groups": mutation.Wrong(mutation.Answering(func(_ *csi.ListSnapshotsRequest, response *csi.ListSnapshotsResponse) {
			response.Entries = slices.DeleteFunc(response.Entries, func(e *csi.ListSnapshotsResponse_Entry) bool { return e.GetSnapshot().GetGroupSnapshotId() != "" })
		}), mutation.Fails(reported, "LS-01")),
		"counts the snapshots of a group as one on a page": mutation.Wide(countingGroups(), mutation.Fails(reported, "LS-02")),
		"does not tell that snapshots are part of a group": mutation.Wrong(telling(func(s *csi.Snapshot) { s.GroupSnapshotId = "" }),
			mutation.Warns(reported, "SN-07"), mutation.Fails(alone, "SN-07")),
		"does not tell the group of a snapshot once its volume is deleted": mutation.Wrong(orphaning(),
			mutation.Warns(reported, "SN-07"), mutation.Fails(alone, "SN-07")),
		"tells another group of a snapshot": mutation.Wrong(telling(func(s *csi.Snapshot) { s.GroupSnapshotId += "-other" }),
			mutation.Fails(reported, "SN-07")),
		"tells another volume of a snapshot of a group": mutation.Wide(
			mutation.Answering(func(_ *csi.GetSnapshotRequest, response *csi.GetSnapshotResponse) {
				response.Snapshot.SourceVolumeId += "-other"
			}), mutation.Fails(reported, "GS-01")),
		"does not claim GET_SNAPSHOT beside groups": mutation.Without(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT,
			mutation.Warns(reported, "SN-14"), mutation.Passes(deleted)),
		"FAILED_PRECONDITION for a snapshot of a group that is deleted alone": mutation.Wrong(
			mutation.Where(func(r *csi.DeleteSnapshotRequest) bool { return r.GetSnapshotId() != "" },
				mutation.Recoding[*csi.DeleteSnapshotRequest](codes.InvalidArgument, codes.FailedPrecondition)),
			mutation.Fails(alone, "SN-13")),
		"deletes the group where it refuses to delete a snapshot of it": mutation.Wrong(mutation.On(func(ctx context.Context, driver right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
			snapshot, _ := driver.GetSnapshot(ctx, &csi.GetSnapshotRequest{SnapshotId: r.GetSnapshotId()})
			response, err := driver.DeleteSnapshot(ctx, r)
			if err != nil {
				removeGroup(ctx, driver, snapshot.GetSnapshot())
			}
			return response, err
		}), mutation.Fails(alone, "SN-12")),
		"has groups whose snapshots are deleted alone": mutation.Wrong(Composed(true),
			mutation.Passes(taken+" "+again+" "+alone+" "+beside+" "+deleted), mutation.Warns(reported, "SN-07")),
		"deletes all snapshots of the volumes with a group": mutation.Wrong(goingWithGroup(func(ctx context.Context, driver right, group *csi.VolumeGroupSnapshot) {
			for _, member := range group.GetSnapshots() {
				for _, snapshot := range snapshotsOf(ctx, driver, member.GetSourceVolumeId()) {
					_, _ = driver.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: snapshot.GetSnapshotId()})
				}
			}
		}), mutation.Fails(beside, "VGS-21")),
		"deletes no snapshots of volumes that are in a group": mutation.Wrong(keepingBeside(),
			mutation.Fails(beside, "SN-08")),

		"returns another time of a group": mutation.Wrong(getting(func(g *csi.VolumeGroupSnapshot) {
			g.CreationTime = timestamppb.New(g.GetCreationTime().AsTime().Add(time.Hour))
		}), mutation.Fails(got, "VGS-33")),
		"returns a group without one of its snapshots": mutation.Wrong(getting(func(g *csi.VolumeGroupSnapshot) { g.Snapshots = g.GetSnapshots()[1:] }),
			mutation.Fails(got, "VGS-33")),
		"returns a group that is ready as one that is not": mutation.Wrong(getting(func(g *csi.VolumeGroupSnapshot) {
			g.ReadyToUse = false
			for _, member := range g.GetSnapshots() {
				member.ReadyToUse = false
			}
		}), mutation.Fails(got, "VGS-33")),
		"returns snapshots of a group without group_snapshot_id": mutation.Wrong(getting(func(g *csi.VolumeGroupSnapshot) { g.Snapshots[0].GroupSnapshotId = "" }),
			mutation.Fails(got, "SN-09")),
		"returns no group": mutation.Wide(mutation.Unimplemented("GetVolumeGroupSnapshot"), mutation.Fails(got, "SV-09")),
		"INTERNAL for a group that does not exist": mutation.Wrong(mutation.Recoding[*getRequest](codes.NotFound, codes.Internal),
			mutation.Fails(getUnknown, "VGS-29")),
		"gets groups from memory": mutation.Wrong(mutation.RememberingInsteadOf(codes.NotFound, (*getRequest).GetGroupSnapshotId),
			mutation.Fails(getUnknown, "VGS-29")),
		"an empty answer for a group that does not exist": mutation.Wide(mutation.Recoding[*getRequest](codes.NotFound, codes.OK),
			mutation.Fails(getUnknown, "VGS-29")),
		"does not look at snapshot_ids": mutation.Wide(unchecked(), mutation.Warns(mismatch, "VGS-25 VGS-31")),
		"FAILED_PRECONDITION for other snapshot_ids": mutation.Wrong(
			mutation.Where(func(r *getRequest) bool { return r.GetGroupSnapshotId() != "" },
				mutation.Recoding[*getRequest](codes.InvalidArgument, codes.FailedPrecondition)).
				And(mutation.Where(func(r *deleteRequest) bool { return r.GetGroupSnapshotId() != "" },
					mutation.Recoding[*deleteRequest](codes.InvalidArgument, codes.FailedPrecondition))),
			mutation.Warns(mismatch, "VGS-27 VGS-32")),
	}
}

// orphaning makes a driver that finds the group of a snapshot by its volume.
func orphaning() mutation.Fault {
	var deleted sync.Map // volumes
	return telling(func(s *csi.Snapshot) {
		if _, gone := deleted.Load(s.GetSourceVolumeId()); gone {
			s.GroupSnapshotId = ""
		}
	}).And(mutation.OnOK(func(r *csi.DeleteVolumeRequest) { deleted.Store(r.GetVolumeId(), true) }))
}

// removeGroup deletes the group that the snapshot is part of, whose snapshots are of any volume.
func removeGroup(ctx context.Context, driver right, member *csi.Snapshot) {
	all, _ := driver.ListSnapshots(ctx, &csi.ListSnapshotsRequest{})
	request := &deleteRequest{GroupSnapshotId: member.GetGroupSnapshotId()}
	for _, entry := range all.GetEntries() {
		if entry.GetSnapshot().GetGroupSnapshotId() == member.GetGroupSnapshotId() {
			request.SnapshotIds = append(request.SnapshotIds, entry.GetSnapshot().GetSnapshotId())
		}
	}
	_, _ = driver.DeleteVolumeGroupSnapshot(ctx, request)
}

func keepingBeside() mutation.Fault {
	return mutation.On(func(ctx context.Context, driver right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
		snapshot, err := driver.GetSnapshot(ctx, &csi.GetSnapshotRequest{SnapshotId: r.GetSnapshotId()})
		if err == nil && snapshot.GetSnapshot().GetGroupSnapshotId() == "" {
			for _, beside := range snapshotsOf(ctx, driver, snapshot.GetSnapshot().GetSourceVolumeId()) {
				if beside.GetGroupSnapshotId() != "" {
					return nil, status.Error(codes.FailedPrecondition, "the volume is in a group snapshot")
				}
			}
		}
		return driver.DeleteSnapshot(ctx, r)
	})
}

func unchecked() mutation.Fault {
	members := func(ctx context.Context, driver right, group string) []string {
		all, _ := driver.ListSnapshots(ctx, &csi.ListSnapshotsRequest{})
		var ids []string
		for _, entry := range all.GetEntries() {
			if entry.GetSnapshot().GetGroupSnapshotId() == group {
				ids = append(ids, entry.GetSnapshot().GetSnapshotId())
			}
		}
		return ids
	}
	return mutation.On(func(ctx context.Context, driver right, r *getRequest) (*getResponse, error) {
		r.SnapshotIds = members(ctx, driver, r.GetGroupSnapshotId())
		return driver.GetVolumeGroupSnapshot(ctx, r)
	}).And(mutation.On(func(ctx context.Context, driver right, r *deleteRequest) (*deleteResponse, error) {
		r.SnapshotIds = members(ctx, driver, r.GetGroupSnapshotId())
		return driver.DeleteVolumeGroupSnapshot(ctx, r)
	}))
}

func countingGroups() mutation.Fault {
	return mutation.On(func(ctx context.Context, driver right, r *csi.ListSnapshotsRequest) (*csi.ListSnapshotsResponse, error) {
		response, err := driver.ListSnapshots(ctx, r)
		for err == nil && r.GetMaxEntries() > 0 && response.GetNextToken() != "" {
			last := response.GetEntries()[len(response.GetEntries())-1].GetSnapshot().GetGroupSnapshotId()
			next, failed := driver.ListSnapshots(ctx, &csi.ListSnapshotsRequest{
				StartingToken: response.GetNextToken(), MaxEntries: 1, SourceVolumeId: r.GetSourceVolumeId(), SnapshotId: r.GetSnapshotId(), Secrets: r.GetSecrets(),
			})
			if failed != nil || last == "" || len(next.GetEntries()) == 0 || next.GetEntries()[0].GetSnapshot().GetGroupSnapshotId() != last {
				break
			}
			response.Entries, response.NextToken = append(response.Entries, next.GetEntries()...), next.GetNextToken()
		}
		return response, err
	})
}
