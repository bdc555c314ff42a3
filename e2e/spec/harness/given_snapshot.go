// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// CreateSnapshotRequest is the call that takes a snapshot of the volume, under a new name, with all that the profile says
// such a call has.
func (d *Driver) CreateSnapshotRequest(volume *csi.Volume) *csi.CreateSnapshotRequest {
	return &csi.CreateSnapshotRequest{
		SourceVolumeId: volume.GetVolumeId(),
		Name:           d.Name(),
		Parameters:     d.Profile().SnapshotParameters,
		Secrets:        d.Profile().Secrets.CreateSnapshot,
	}
}

// NeedSnapshot takes a snapshot that the case depends on and does not judge, and waits until it is ready to use.
func (d *Driver) NeedSnapshot(ctx context.Context, volume *csi.Volume) *csi.Snapshot {
	return d.NeedReady(ctx, d.CreateSnapshotRequest(volume))
}

// NeedReady asks for the snapshot until it is ready to use, as a CO does, which the case depends on.
func (d *Driver) NeedReady(ctx context.Context, request *csi.CreateSnapshotRequest) *csi.Snapshot {
	limit := d.target.Timeouts.SnapshotReady
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for delays := backoff(limit); ; {
		snapshot := Need(d.Controller.CreateSnapshot(ctx, request)).GetSnapshot()
		if snapshot.GetSnapshotId() == "" {
			suite.CouldNotTell("CreateSnapshot answered an empty snapshot_id, which is REQUIRED: the snapshot that the case needs has no name to use it by")
		}
		if snapshot.GetReadyToUse() {
			return snapshot
		}
		if pause(bounded, delays.Step()) != nil {
			suite.CouldNotTell("snapshot %s was not ready to use within %s, the limit that the profile's timeouts give as snapshotReady", snapshot.GetSnapshotId(), limit)
		}
	}
}
