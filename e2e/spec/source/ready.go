// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// snapshotReady compares ready_to_use of a new snapshot with its actual use. A plugin that still processes it refuses to
// create a volume from it, with any code.
func snapshotReady() harness.Case {
	return harness.Case{
		ID:           "snapshot_ready",
		Text:         "restores a snapshot that is ready to use, and should not report one that can be restored as not ready",
		Requirements: []string{"CS-01", "CS-24", "CS-29"},
		Needs:        needsSnapshots(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			request := snapshots.CreateRequest(driver, volume)
			response, err := driver.Controller.CreateSnapshot(ctx, request)
			skipWithoutSpace(err)
			snapshot := harness.NeedOK(response, err).GetSnapshot()
			from := contentOf(driver, snapshot, volume)
			asked := driver.Volume(1).OfBytes(from.bytes)

			got := creation.CreateFrom(ctx, driver, from.VolumeContentSource, asked)

			if got.Code == codes.ResourceExhausted {
				mustHaveRoom(ctx, driver, got, asked)
			}
			if snapshot.GetReadyToUse() {
				suite.Must("CS-24", got.Code == codes.OK, "a snapshot whose ready_to_use is true can be restored\nCreateSnapshot returned %s with ready_to_use true\ngot: %s", snapshot.GetSnapshotId(), got)
				return
			}
			now := harness.NeedOK(driver.Controller.CreateSnapshot(ctx, request)).GetSnapshot()
			suite.Should(ctx, "CS-29", got.Code != codes.OK || now.GetReadyToUse(),
				"ready_to_use should be true for a snapshot that is not being processed\nCreateSnapshot returned %s with ready_to_use false, volume %s was created from it, and CreateSnapshot still returns false", snapshot.GetSnapshotId(), got.VolumeID)
		},
	}
}
