// SPDX-License-Identifier: Apache-2.0

// Package snapshots makes snapshots that cases depend on, and finds what the driver tells of them.
package snapshots

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
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
// ListSnapshots, by their names. A list without it has nil; one that is not to be used shows nothing.
func Reported(ctx context.Context, d *harness.Driver, snapshot *csi.Snapshot) map[string]*csi.Snapshot {
	reported := map[string]*csi.Snapshot{}
	if d.Claims(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT) {
		reported["GetSnapshot"] = harness.NeedOK(d.Controller.GetSnapshot(ctx, GetRequest(d, snapshot))).GetSnapshot()
	}
	if d.ListsSnapshots() {
		reported["ListSnapshots"] = Listed(ctx, d, snapshot.GetSnapshotId())
	}
	return reported
}
