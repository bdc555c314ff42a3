// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// cloneLeavesNoSnapshot checks the snapshots of the case's own volume, which only the driver takes: a driver may clone
// through a snapshot, and need it for as long as the clone exists.
func cloneLeavesNoSnapshot() harness.Case {
	return harness.Case{
		ID:           "clone_leaves_no_snapshot",
		Text:         "should list no snapshot of a volume that was cloned, once the clone is deleted",
		Requirements: []string{"CV-07"},
		Needs:        harness.Needs(cloning().needs(), harness.Claims(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			from := cloning().take(ctx, driver, volume)
			asked := driver.Volume(1).OfBytes(from.bytes)
			clone := creation.CreateFrom(ctx, driver, from.VolumeContentSource, asked)
			if clone.Code != codes.OK {
				suite.Skip(suite.ByCapability, "no clone can be created, which is for other cases to judge: %s", clone)
			}

			deletion.Need(ctx, driver, clone.Volume)

			var left []string
			gone := driver.Settled(ctx, effect.Deletion, func() bool {
				left = ids(snapshots.Of(ctx, driver, volume.GetVolumeId()))
				return len(left) == 0
			})
			suite.Should(ctx, "CV-07", gone, "volume %s was cloned, the clone is deleted, and ListSnapshots has snapshots of the volume that were never requested: %s", volume.GetVolumeId(), strings.Join(left, ", "))
		},
	}
}
