// SPDX-License-Identifier: Apache-2.0

package restart

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// deletions returns the cases about volumes that were deleted before.
func deletions() []harness.Case { return []harness.Case{deletedVolume()} }

// deletedVolume warns if a deleted volume is still listed after a restart, or its name still taken: the specification does
// not say how soon it is gone.
func deletedVolume() harness.Case {
	return harness.Case{
		ID:           "restart_deleted",
		Text:         "should not have a deleted volume again after a restart",
		Requirements: []string{"DV-01", "DV-02", "CV-03"},
		Needs:        needs(2, csi.ControllerServiceCapability_RPC_LIST_VOLUMES),
		Run: func(ctx context.Context, driver *harness.Driver) {
			one := mustMake(ctx, driver, driver.CreateVolumeRequest(driver.Volume(1)))
			id := one.volume.GetVolumeId()
			deletion.Need(ctx, driver, one.volume)

			harness.RestartDriver(ctx, driver)

			gone := driver.Settled(ctx, effect.Deletion, func() bool { return listing.Volume(ctx, driver, id) == nil })
			suite.Should(ctx, "DV-01", gone, "DeleteVolume answered OK for volume %s, the driver was restarted, and ListVolumes has the volume", id)
			_, err := driver.Controller.DeleteVolume(ctx, deletion.Request(driver, one.volume))
			harness.ExpectOK("DV-01", err, "DeleteVolume was repeated after the driver was restarted, and is idempotent")
			var made error
			driver.Settled(ctx, effect.FreeName, func() bool {
				_, made = driver.Controller.CreateVolume(ctx, one.request)
				return made == nil
			})
			skipWithoutRoom(made)
			suite.Should(ctx, "CV-03", made == nil, "volume %s was deleted, the driver was restarted, and its name %s cannot be used again: %s", id, one.request.GetName(), describe.Status(made))
		},
	}
}
