// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// mutableKept repeats CreateVolume after each call that changes the driver's record of the volume: as long as it has its
// mutable parameters, the answer is the volume.
func mutableKept() harness.Case {
	return harness.Case{
		ID:           "mutable_kept",
		Text:         "keeps the mutable parameters of a volume that grows, and that is published and unpublished",
		Requirements: []string{"CV-02", "CV-03", "CV-04"},
		Needs:        harness.Needs(mutableNeeds(), harness.Attaches(1)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := mutableCreation(driver)
			volume := mustCreate(ctx, driver, request)
			confirmed := confirmsMutable(ctx, driver, volume)
			expectKept := func(why string) {
				expectRepeated(ctx, driver, request, volume, "CreateVolume with mutable_parameters was repeated "+why)
				suite.Should(ctx, "CV-04", !confirmed || confirmsMutable(ctx, driver, volume), "ValidateVolumeCapabilities confirmed the mutable parameters of the volume when it was created, and no longer does %s", why)
			}

			node := attachWhereReached(ctx, driver, volume)
			if node != nil {
				harness.NeedOK(driver.Controller.ControllerUnpublishVolume(ctx, publication.DetachRequest(driver, volume, node)))
				expectKept("after it was published and unpublished")
			}
			grows := driver.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME)
			if grows {
				growth.Grow(ctx, driver, volume, growth.Size(driver), driver.CapabilityOf(volume))
				expectKept("after it has grown, to a size that is compatible with its capacity_range")
			}
			if node == nil && !grows {
				suite.Skip(suite.ByCapability, "the driver claims neither EXPAND_VOLUME nor PUBLISH_UNPUBLISH_VOLUME: no call changes a volume but ControllerModifyVolume")
			}
		},
	}
}
