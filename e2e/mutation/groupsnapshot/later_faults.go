// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// laterFaults returns drivers that are correct about a group snapshot until something changes: another group is taken of
// its volumes, or a volume or the group is deleted.
func laterFaults() map[string]mutation.Expectation {
	ofDeleted := func(ctx context.Context, driver right, snapshot *csi.Snapshot) bool {
		_, err := driver.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: snapshot.GetSourceVolumeId()})
		return err != nil && snapshot.GetGroupSnapshotId() != ""
	}
	return map[string]mutation.Expectation{
		"returns the snapshots of the last group of the same volumes": mutation.Wide(lastOfVolumes(),
			mutation.Fails(got, "VGS-33")),
		"a repeated group snapshot is the last one of the same volumes": mutation.Wide(repeatingLast(),
			mutation.Fails(again, "VGS-02")),
		"tells of all snapshots of a volume that they are in its last group": mutation.Wrong(inLastGroup(),
			mutation.Fails(reported, "SN-07")),
		"lists the snapshots of the last group of a volume only": mutation.Wrong(listing(func(_ context.Context, _ right, _ *csi.ListSnapshotsRequest, listed []*csi.Snapshot) []*csi.Snapshot {
			last := map[string]*csi.Snapshot{} // by volume
			for _, snapshot := range listed {
				before := last[snapshot.GetSourceVolumeId()]
				if snapshot.GetGroupSnapshotId() != "" && !isBefore(snapshot, before) {
					last[snapshot.GetSourceVolumeId()] = snapshot
				}
			}
			return slices.DeleteFunc(listed, func(s *csi.Snapshot) bool {
				return s.GetGroupSnapshotId() != "" && isBefore(s, last[s.GetSourceVolumeId()])
			})
		}), mutation.Fails(reported, "LS-01")),
		"returns a group without the snapshots of deleted volumes": mutation.Wrong(mutation.On(func(ctx context.Context, driver right, r *getRequest) (*getResponse, error) {
			response, err := driver.GetVolumeGroupSnapshot(ctx, r)
			if err == nil {
				group := response.GetGroupSnapshot()
				group.Snapshots = slices.DeleteFunc(group.GetSnapshots(), func(s *csi.Snapshot) bool { return ofDeleted(ctx, driver, s) })
			}
			return response, err
		}), mutation.Fails(got, "DV-03")),
		"says that a group is deleted, and keeps it where its volumes are deleted": mutation.Wide(mutation.On(func(ctx context.Context, driver right, r *deleteRequest) (*deleteResponse, error) {
			got, err := driver.GetVolumeGroupSnapshot(ctx, &getRequest{GroupSnapshotId: r.GetGroupSnapshotId(), SnapshotIds: r.GetSnapshotIds()})
			if err == nil && !slices.ContainsFunc(got.GetGroupSnapshot().GetSnapshots(), func(s *csi.Snapshot) bool { return !ofDeleted(ctx, driver, s) }) {
				return &deleteResponse{}, nil
			}
			return driver.DeleteVolumeGroupSnapshot(ctx, r)
		}), mutation.Fails(getUnknown, "VGS-29")),
		"lists no snapshots of groups whose volume is deleted": mutation.Wrong(listing(func(ctx context.Context, driver right, _ *csi.ListSnapshotsRequest, listed []*csi.Snapshot) []*csi.Snapshot {
			return slices.DeleteFunc(listed, func(s *csi.Snapshot) bool { return ofDeleted(ctx, driver, s) })
		}), mutation.Fails(reported, "DV-03")),
		"lists the snapshots of a volume without their group": mutation.Wrong(listing(func(_ context.Context, _ right, r *csi.ListSnapshotsRequest, listed []*csi.Snapshot) []*csi.Snapshot {
			for _, snapshot := range listed {
				if r.GetSourceVolumeId() != "" {
					snapshot.GroupSnapshotId = ""
				}
			}
			return listed
		}), mutation.Warns(reported, "SN-07"), mutation.Fails(alone, "SN-07")),
		"lists a snapshot by its id as its own group": mutation.Wrong(listing(func(_ context.Context, _ right, r *csi.ListSnapshotsRequest, listed []*csi.Snapshot) []*csi.Snapshot {
			for _, snapshot := range listed {
				if r.GetSnapshotId() != "" && snapshot.GetGroupSnapshotId() != "" {
					snapshot.GroupSnapshotId = snapshot.GetSnapshotId()
				}
			}
			return listed
		}), mutation.Fails(reported, "SN-07")),
		"remembers snapshots of deleted groups that it was asked for": mutation.Wrong(mutation.RememberingInsteadOf(codes.NotFound, (*csi.GetSnapshotRequest).GetSnapshotId),
			mutation.Fails(getUnknown, "GS-02"), mutation.Fails(inUse, "VGS-21")),
		"restores an empty volume from a snapshot of a deleted group": mutation.Wrong(
			mutation.AnsweringVolume(func(r *csi.CreateVolumeRequest, v *csi.Volume) { v.ContentSource = r.GetVolumeContentSource() }).
				Over(mutation.Retrying(codes.NotFound, func(r *csi.CreateVolumeRequest) { r.VolumeContentSource = nil })), mutation.Fails(getUnknown, "CREATE-05")),
	}
}

func isBefore(snapshot, other *csi.Snapshot) bool {
	return snapshot.GetCreationTime().AsTime().Before(other.GetCreationTime().AsTime())
}

// listing makes a driver that lists other snapshots than it has, or describes them wrongly.
func listing(change func(ctx context.Context, driver right, r *csi.ListSnapshotsRequest, listed []*csi.Snapshot) []*csi.Snapshot) mutation.Fault {
	return mutation.On(func(ctx context.Context, driver right, r *csi.ListSnapshotsRequest) (*csi.ListSnapshotsResponse, error) {
		response, err := driver.ListSnapshots(ctx, r)
		if err != nil {
			return nil, err
		}
		var listed []*csi.Snapshot
		for _, entry := range response.GetEntries() {
			listed = append(listed, entry.GetSnapshot())
		}
		response.Entries = nil
		for _, snapshot := range change(ctx, driver, r, listed) {
			response.Entries = append(response.Entries, &csi.ListSnapshotsResponse_Entry{Snapshot: snapshot})
		}
		return response, nil
	})
}

// lastGroups holds the last group of each volume.
type lastGroups struct{ ofVolumes sync.Map }

func (l *lastGroups) note(sources []string, group *csi.VolumeGroupSnapshot) {
	l.ofVolumes.Store(volumesOf(sources), proto.CloneOf(group))
}

func (l *lastGroups) of(sources []string) *csi.VolumeGroupSnapshot {
	if last, found := l.ofVolumes.Load(volumesOf(sources)); found {
		return proto.CloneOf(last.(*csi.VolumeGroupSnapshot))
	}
	return nil
}

func volumesOf(sources []string) string {
	return strings.Join(slices.Sorted(slices.Values(sources)), " ")
}

func sourcesOf(group *csi.VolumeGroupSnapshot) []string {
	var sources []string
	for _, member := range group.GetSnapshots() {
		sources = append(sources, member.GetSourceVolumeId())
	}
	return sources
}

func lastOfVolumes() mutation.Fault {
	last := &lastGroups{}
	return answering(func(r *takeRequest, group *csi.VolumeGroupSnapshot) {
		last.note(r.GetSourceVolumeIds(), group)
	}).And(getting(func(group *csi.VolumeGroupSnapshot) {
		group.Snapshots = last.of(sourcesOf(group)).GetSnapshots()
		for _, member := range group.GetSnapshots() {
			member.GroupSnapshotId = group.GetGroupSnapshotId()
		}
	}))
}

func repeatingLast() mutation.Fault {
	last := &lastGroups{}
	var named sync.Map
	return answering(func(r *takeRequest, group *csi.VolumeGroupSnapshot) {
		if _, repeated := named.LoadOrStore(r.GetName(), true); !repeated {
			last.note(r.GetSourceVolumeIds(), group)
			return
		}
		before := last.of(r.GetSourceVolumeIds())
		proto.Reset(group)
		proto.Merge(group, before)
	})
}

func inLastGroup() mutation.Fault {
	var last sync.Map // group_snapshot_id by volume_id
	return answering(func(_ *takeRequest, group *csi.VolumeGroupSnapshot) {
		for _, member := range group.GetSnapshots() {
			last.Store(member.GetSourceVolumeId(), group.GetGroupSnapshotId())
		}
	}).And(telling(func(snapshot *csi.Snapshot) {
		if id, found := last.Load(snapshot.GetSourceVolumeId()); found {
			snapshot.GroupSnapshotId = id.(string)
		}
	}))
}
