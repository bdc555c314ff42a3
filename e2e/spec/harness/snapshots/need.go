// SPDX-License-Identifier: Apache-2.0

package snapshots

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Need takes a snapshot that the case depends on and does not judge, and waits until it is ready to use.
func Need(ctx context.Context, d *harness.Driver, volume *csi.Volume) *csi.Snapshot {
	return NeedReady(ctx, d, CreateRequest(d, volume))
}

// NeedReady repeats the call until the snapshot is ready to use, as a CO does. The case depends on it.
func NeedReady(ctx context.Context, d *harness.Driver, request *csi.CreateSnapshotRequest) *csi.Snapshot {
	limit := d.Target.Timeouts.SnapshotReady
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for delays := attempt.Backoff(limit); ; {
		snapshot := harness.NeedOK(d.Controller.CreateSnapshot(ctx, request)).GetSnapshot()
		if snapshot.GetSnapshotId() == "" {
			suite.CouldNotTell("CreateSnapshot answered an empty snapshot_id, which is REQUIRED: the snapshot that the case needs cannot be used")
		}
		if snapshot.GetReadyToUse() {
			return snapshot
		}
		if attempt.Pause(bounded, delays.Step()) != nil {
			suite.CouldNotTell("snapshot %s was not ready to use within %s, the limit that the profile's timeouts give as snapshotReady", snapshot.GetSnapshotId(), limit)
		}
	}
}
