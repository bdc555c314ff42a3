// SPDX-License-Identifier: Apache-2.0

// Package snapshots makes snapshots that cases depend on, and reads the driver's reports about them.
package snapshots

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// CreateRequest returns the call that takes a snapshot of the volume, under a new name, with everything that the
// profile adds to such a call.
func CreateRequest(d *harness.Driver, volume *csi.Volume) *csi.CreateSnapshotRequest {
	return &csi.CreateSnapshotRequest{
		SourceVolumeId: volume.GetVolumeId(),
		Name:           d.Name(),
		Parameters:     d.Profile().SnapshotParameters,
		Secrets:        d.Profile().Secrets.CreateSnapshot,
	}
}

// DeleteRequest returns the call that deletes a snapshot.
func DeleteRequest(d *harness.Driver, snapshot *csi.Snapshot) *csi.DeleteSnapshotRequest {
	return &csi.DeleteSnapshotRequest{SnapshotId: snapshot.GetSnapshotId(), Secrets: d.Profile().Secrets.DeleteSnapshot}
}

// GetRequest returns the call that gets a snapshot, with the secrets of ListSnapshots, which reads the same objects.
func GetRequest(d *harness.Driver, snapshot *csi.Snapshot) *csi.GetSnapshotRequest {
	return &csi.GetSnapshotRequest{SnapshotId: snapshot.GetSnapshotId(), Secrets: d.Profile().Secrets.ListSnapshots}
}

// Reported returns the snapshot as reported now by each of the calls GetSnapshot and ListSnapshots that the driver claims,
// by the call's name. A list without the snapshot has nil; a list that cannot be used is left out.
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
