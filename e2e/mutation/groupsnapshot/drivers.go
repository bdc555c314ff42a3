// SPDX-License-Identifier: Apache-2.0

// Package groupsnapshot has drivers that take, report, delete and restore group snapshots wrongly, and correct drivers that
// lack something.
package groupsnapshot

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// The cases, by subject.
const (
	taken    = "group_snapshot_volumes"
	again    = "group_snapshot_again"
	others   = "group_snapshot_other_volumes"
	atOnce   = "group_snapshot_at_once"
	cutShort = "group_snapshot_cut_short"
	unknown  = "group_snapshot_unknown_volume"
	names    = "group_snapshot_names"
	clone    = "group_snapshot_with_clone"

	kept     = "group_snapshot_data"
	order    = "group_snapshot_write_order"
	topology = "group_snapshot_topology"
	inUse    = "group_snapshot_in_use"

	reported = "group_snapshot_members_reported"
	alone    = "group_snapshot_member_deleted_alone"
	beside   = "group_snapshot_beside_snapshot"

	got        = "group_snapshot_got"
	getUnknown = "group_snapshot_get_unknown"
	mismatch   = "group_snapshot_other_members"

	deleted       = "group_snapshot_deleted"
	deletionCut   = "group_snapshot_deletion_cut_short"
	deleteUnknown = "group_snapshot_delete_unknown"
	nameFree      = "group_snapshot_name_free_after_deletion"
)

// Drivers returns the faulty drivers, and correct drivers that lack something.
func Drivers() map[string]mutation.Expectation {
	return mutation.Focused("group_snapshot_",
		mutation.Union(lacks(), takingFaults(), contentFaults(), memberFaults(), deletionFaults(), laterFaults()))
}

// lacks returns correct drivers, or environments, that lack something.
func lacks() map[string]mutation.Expectation {
	const all = taken + " " + again + " " + others + " " + unknown + " " + kept + " " + reported + " " + got + " " + deleted
	return map[string]mutation.Expectation{
		"no capability GROUP_CONTROLLER_SERVICE": mutation.Without(csi.PluginCapability_Service_GROUP_CONTROLLER_SERVICE,
			mutation.Skips(all, suite.ByCapability)),
		"no capability CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT": mutation.Without(
			csi.GroupControllerServiceCapability_RPC_CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT,
			mutation.Skips(all, suite.ByCapability)),
		"no group across zones": mutation.Wrong(oneZone(),
			mutation.Skips(topology, suite.ByCapability), mutation.Passes(taken)),
		"no node endpoints": mutation.Told(func(t *harness.Target) { t.Nodes = nil },
			mutation.Skips(kept+" "+order+" "+inUse, suite.ByEnvironment), mutation.Passes(taken+" "+again+" "+topology)),
		"one segment": mutation.Started(mutation.InZones("Z2"),
			mutation.Skips(topology, suite.ByEnvironment), mutation.Passes(taken+" "+kept)),
		"no topology": mutation.WithoutTopology(
			mutation.Skips(topology, suite.ByCapability), mutation.Passes(taken+" "+kept)),
	}
}

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

// memberOf returns the source snapshot of a volume to create, if it is part of a group; nil otherwise.
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

// restoring makes a driver that creates a volume from a snapshot of a group with instead.
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

// afterGivingUp makes a driver that continues to take a group when the call is given up, and does instead when the call is
// repeated.
func afterGivingUp(instead func(ctx context.Context, driver right, r *takeRequest) (*takeResponse, error)) mutation.Fault {
	return mutation.AfterGivingUp(func(ctx context.Context, driver right, r *takeRequest) (*takeResponse, error) {
		return driver.CreateVolumeGroupSnapshot(ctx, r)
	}, instead)
}

// goingWithGroup makes a driver that also deletes something else with a group.
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
