// SPDX-License-Identifier: Apache-2.0

// Package snapshots makes snapshots that cases depend on, and finds what the driver tells of them.
package snapshots

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// CreateRequest is the call that takes a snapshot of the volume, under a new name, with all that the profile says
// such a call has.
func CreateRequest(d *harness.Driver, volume *csi.Volume) *csi.CreateSnapshotRequest {
	return &csi.CreateSnapshotRequest{
		SourceVolumeId: volume.GetVolumeId(),
		Name:           d.Name(),
		Parameters:     d.Profile().SnapshotParameters,
		Secrets:        d.Profile().Secrets.CreateSnapshot,
	}
}

// DeleteRequest deletes a snapshot.
func DeleteRequest(d *harness.Driver, snapshot *csi.Snapshot) *csi.DeleteSnapshotRequest {
	return &csi.DeleteSnapshotRequest{SnapshotId: snapshot.GetSnapshotId(), Secrets: d.Profile().Secrets.DeleteSnapshot}
}

// GetRequest asks for a snapshot, with the secrets of ListSnapshots, which asks for the same.
func GetRequest(d *harness.Driver, snapshot *csi.Snapshot) *csi.GetSnapshotRequest {
	return &csi.GetSnapshotRequest{SnapshotId: snapshot.GetSnapshotId(), Secrets: d.Profile().Secrets.ListSnapshots}
}

// Reported is the snapshot as each call shows it now that the driver claims for that: GetSnapshot and
// ListSnapshots, by their names. A list without it has nil.
func Reported(ctx context.Context, d *harness.Driver, snapshot *csi.Snapshot) map[string]*csi.Snapshot {
	reported := map[string]*csi.Snapshot{}
	if d.Claims(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT) {
		reported["GetSnapshot"] = harness.NeedOK(d.Controller.GetSnapshot(ctx, GetRequest(d, snapshot))).GetSnapshot()
	}
	if d.Claims(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS) {
		reported["ListSnapshots"] = Listed(ctx, d, snapshot.GetSnapshotId())
	}
	return reported
}

// Listed is the snapshot as ListSnapshots has it among all others; nil if it is not there.
func Listed(ctx context.Context, d *harness.Driver, snapshotID string) *csi.Snapshot {
	var found *csi.Snapshot
	err := d.Pages.Each("ListSnapshots", func(token string) (next string, err error) {
		response, err := d.Controller.ListSnapshots(ctx, &csi.ListSnapshotsRequest{StartingToken: token, Secrets: d.Profile().Secrets.ListSnapshots})
		for _, entry := range response.GetEntries() {
			if entry.GetSnapshot().GetSnapshotId() == snapshotID {
				found = entry.GetSnapshot()
			}
		}
		return response.GetNextToken(), err
	})
	attempt.MustBeAnswered(err)
	if messages.IsEndless(err) {
		suite.Skip(suite.ByCapability, "whether the snapshot is listed cannot be seen: %v", err)
	}
	if err != nil {
		suite.CouldNotTell("the driver's snapshots, which the case needs to know, could not be listed: %v", err)
	}
	return found
}
