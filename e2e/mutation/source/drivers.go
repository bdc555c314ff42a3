// SPDX-License-Identifier: Apache-2.0

// Package source has drivers that take, list and restore snapshots wrongly, or clone volumes wrongly, and correct drivers
// that lack something.
package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Drivers returns the faulty drivers, and correct drivers that lack something.
func Drivers() map[string]mutation.Expectation {
	return mutation.Union(lacks(), ofSomeCases(), mutation.Focused("restoring|cloning|source_", faults()),
		mutation.Focused("taking snapshots", snapshotFaults()), mutation.Focused("listing snapshots", listFaults()),
		mutation.Focused("topology of snapshots", topologyFaults()))
}

// ofSomeCases returns drivers that are run against cases of several groups, or of a part of one.
func ofSomeCases() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"takes no snapshots": mutation.Expect(mutation.Driver{Fault: mutation.Unimplemented("CreateSnapshot"), Focus: "snapshot_volume"},
			mutation.Fails("snapshot_volume", "CS-22")),
		"creates an empty volume from a source that it does not claim": mutation.Expect(
			mutation.Driver{Fault: mutation.Unclaimed(csi.ControllerServiceCapability_RPC_CLONE_VOLUME).And(asking(withoutSource)), Focus: "source_unsupported"}, mutation.Fails("source_unsupported", "CREATE-04")),
		"says of an empty volume that it has a source which it does not claim": mutation.Expect(
			mutation.Driver{Fault: mutation.Unclaimed(csi.ControllerServiceCapability_RPC_CLONE_VOLUME).And(hiding(func(r *createRequest) {
				if r.GetVolumeContentSource().GetVolume() != nil {
					r.VolumeContentSource = nil
				}
			})), Focus: "source_unsupported"}, mutation.Fails("source_unsupported", "CREATE-04")),
		"an invalid token is INVALID_ARGUMENT once a snapshot is deleted": mutation.Expect(
			mutation.Driver{Fault: forgettingTokens(), Only: []string{"snapshots_invalid_token_later"}},
			mutation.Fails("snapshots_invalid_token_later", "LS-06")),
		"deletes in the background for longer than cases wait": mutation.Expect(
			mutation.Driver{Fault: mutation.DeletingLate(), Focus: "unknown_source|snapshot_unknown_volume"},
			mutation.Errs(unknown+" snapshot_unknown_volume")),
		"leaves the snapshot that a clone was made by": mutation.Expect(
			mutation.Driver{Fault: leavingHelpers(), Focus: "clone_leaves_no_snapshot"},
			mutation.Warns("clone_leaves_no_snapshot", "CV-07")).Seen("linstor-csi issue 90"),
	}
}

type (
	createRequest    = csi.CreateVolumeRequest
	createResponse   = csi.CreateVolumeResponse
	snapshotRequest  = csi.CreateSnapshotRequest
	snapshotResponse = csi.CreateSnapshotResponse
	listRequest      = csi.ListSnapshotsRequest
	listResponse     = csi.ListSnapshotsResponse
	getRequest       = csi.GetSnapshotRequest
	getResponse      = csi.GetSnapshotResponse
)

// copying returns the fault of a CreateVolume for volumes that have a source.
func copying(fault mutation.Fault) mutation.Fault {
	return mutation.Where(func(r *createRequest) bool { return r.GetVolumeContentSource() != nil }, fault)
}

// asking makes a driver that reads a different request for a copy than it got, and answering a driver that describes a copy
// wrongly.
func asking(change func(*createRequest)) mutation.Fault { return copying(mutation.Asking(change)) }

func answering(change func(*createRequest, *csi.Volume)) mutation.Fault {
	return copying(mutation.AnsweringVolume(change))
}

// recoding makes a driver that refuses a copy with another code than it should.
func recoding(instead, other codes.Code) mutation.Fault {
	return copying(mutation.Recoding[*createRequest](instead, other))
}

// hiding makes a driver that reads another request for a copy than it got, and reports the requested source for the copy.
func hiding(change func(*createRequest)) mutation.Fault {
	return answering(func(r *createRequest, v *csi.Volume) { v.ContentSource = r.GetVolumeContentSource() }).Over(asking(change))
}

func withoutSource(r *createRequest) { r.VolumeContentSource = nil }

// answeringSnapshot makes a driver that describes a snapshot wrongly.
func answeringSnapshot(change func(*snapshotRequest, *csi.Snapshot)) mutation.Fault {
	return mutation.Answering(func(r *snapshotRequest, response *snapshotResponse) { change(r, response.GetSnapshot()) })
}

// snapshotsOf returns the snapshots of the volume, as listed by the correct driver.
func snapshotsOf(ctx context.Context, right mutation.Right, volumeID string) []*csi.ListSnapshotsResponse_Entry {
	response, err := right.ListSnapshots(ctx, &listRequest{SourceVolumeId: volumeID})
	if err != nil {
		return nil
	}
	return response.GetEntries()
}

const ofZ3 = partly + " " + outOfReach

// lacks returns correct drivers, or environments, that lack something.
func lacks() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"one segment": mutation.Started(mutation.InZones("Z2"),
			mutation.Skips(ofZ3+" snapshot_preferring snapshot_out_of_reach snapshot_topology_again snapshot_two_zones", suite.ByEnvironment),
			mutation.Passes(made+" "+inReach+" "+full+" snapshot_restorable snapshot_within")),
		"no topology": mutation.WithoutTopology(mutation.Skips(ofZ3+" "+inReach+" "+full, suite.ByCapability),
			mutation.Skips("snapshot_restorable snapshot_within", suite.ByCapability),
			mutation.Passes(made+" "+countedOnce+" "+largerOnNode+" snapshot_volume")),
		"no capability CREATE_DELETE_SNAPSHOT": mutation.Without(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT,
			mutation.Skips("restore_volume snapshot_volume snapshots_paged snapshot_got snapshot_within", suite.ByCapability),
			mutation.Passes("clone_volume source_empty source_unsupported")),
		"no capability CLONE_VOLUME": mutation.Wrong(mutation.Unclaimed(csi.ControllerServiceCapability_RPC_CLONE_VOLUME),
			mutation.Skips("clone_volume clone_in_reach clone_counted_once", suite.ByCapability),
			mutation.Passes("restore_volume source_empty"), mutation.Warns("source_unsupported", "CREATE-04")),
		"no capability LIST_SNAPSHOTS": mutation.Without(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS,
			mutation.Skips("snapshot_listed snapshots_by_source snapshots_paged snapshots_paged_all snapshots_invalid_token snapshots_invalid_token_later snapshots_negative_max_entries snapshots_while_snapshots_change", suite.ByCapability),
			mutation.Passes("snapshot_volume snapshot_outlives_volume snapshot_topology_reported")),
		"no capability GET_SNAPSHOT": mutation.Without(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT,
			mutation.Skips("snapshot_got snapshot_get_unknown", suite.ByCapability),
			mutation.Passes("snapshot_listed snapshot_topology_reported")),
		"no capability GET_CAPACITY": mutation.Without(csi.ControllerServiceCapability_RPC_GET_CAPACITY,
			mutation.Skips(countedOnce, suite.ByCapability), mutation.Skips(full, suite.ByCapability),
			mutation.Passes(made+" "+again)),
		"no node endpoints": mutation.Told(func(t *harness.Target) { t.Nodes = nil },
			mutation.Skips(largerOnNode+" "+keepsData+" "+largerData+" "+independent, suite.ByEnvironment),
			mutation.Passes(made+" "+larger+" snapshot_volume")),
	}
}
