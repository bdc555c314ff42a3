// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// DeleteSnapshotRequest deletes a snapshot.
func (d *Driver) DeleteSnapshotRequest(snapshot *csi.Snapshot) *csi.DeleteSnapshotRequest {
	return &csi.DeleteSnapshotRequest{SnapshotId: snapshot.GetSnapshotId(), Secrets: d.Profile().Secrets.DeleteSnapshot}
}

// GetSnapshotRequest asks for a snapshot, with the secrets of ListSnapshots, which asks for the same.
func (d *Driver) GetSnapshotRequest(snapshot *csi.Snapshot) *csi.GetSnapshotRequest {
	return &csi.GetSnapshotRequest{SnapshotId: snapshot.GetSnapshotId(), Secrets: d.Profile().Secrets.ListSnapshots}
}

// ReportedSnapshot is the snapshot as each call shows it now that the driver claims for that: GetSnapshot and
// ListSnapshots, by their names. A list without it has nil.
func (d *Driver) ReportedSnapshot(ctx context.Context, snapshot *csi.Snapshot) map[string]*csi.Snapshot {
	reported := map[string]*csi.Snapshot{}
	if d.Claims(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT) {
		reported["GetSnapshot"] = Need(d.Controller.GetSnapshot(ctx, d.GetSnapshotRequest(snapshot))).GetSnapshot()
	}
	if d.Claims(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS) {
		reported["ListSnapshots"] = d.ListedSnapshot(ctx, snapshot.GetSnapshotId())
	}
	return reported
}

// ListedSnapshot is the snapshot as ListSnapshots has it among all others; nil if it is not there.
func (d *Driver) ListedSnapshot(ctx context.Context, snapshotID string) *csi.Snapshot {
	var found *csi.Snapshot
	err := eachPage("ListSnapshots", func(token string) (next string, err error) {
		response, err := d.Controller.ListSnapshots(ctx, &csi.ListSnapshotsRequest{StartingToken: token, Secrets: d.Profile().Secrets.ListSnapshots})
		for _, entry := range response.GetEntries() {
			if entry.GetSnapshot().GetSnapshotId() == snapshotID {
				found = entry.GetSnapshot()
			}
		}
		return response.GetNextToken(), err
	})
	if err != nil {
		suite.CouldNotTell("the driver's snapshots, which the case needs to know, could not be listed: %v", err)
	}
	return found
}
