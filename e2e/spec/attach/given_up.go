// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"
	"fmt"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/calls"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
)

// detachingGivenUp returns the case about a CO that gives up attaching a volume, and detaches it to be sure.
func detachingGivenUp() []harness.Case {
	return []harness.Case{{
		ID:           "detach_given_up",
		Text:         "detaches a volume from a node after a ControllerPublishVolume was given up, and does not attach it later",
		Requirements: []string{"CU-10", "GEN-02", "GEN-07", "LV-07"},
		Needs:        needs(1),
		Run:          detachGivenUp,
	}}
}

// detachGivenUp gives the call up after a part of the time that it has taken before, so that the driver is in the middle of it. If
// the driver is faster now, and has attached the volume by then, the case tries again, and gives the call up sooner.
func detachGivenUp(ctx context.Context, driver *harness.Driver) {
	node := driver.Nodes[0]
	volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
	begin := time.Now()
	publication.Attach(ctx, driver, volume, node)
	took := time.Since(begin)
	there := needEvidence(ctx, driver, volume, node)
	detachment := publication.DetachRequest(driver, volume, node)
	harness.NeedOK(driver.Controller.ControllerUnpublishVolume(ctx, detachment))
	for _, limit := range []time.Duration{took / 8, took / 64, 0} {
		given, _ := calls.GiveUpAfter(ctx, limit, func(ctx context.Context) error {
			return attach(ctx, driver, publication.AttachRequest(driver, volume, node))
		})
		// The driver answers another call first, so that it has received the one that was given up.
		harness.NeedOK(driver.Controller.ControllerGetCapabilities(ctx, &csi.ControllerGetCapabilitiesRequest{}))
		var err error
		driver.Settled(ctx, effect.Repetition("ControllerUnpublishVolumeResponse"), func() bool {
			err = detach(ctx, driver, detachment)
			return err == nil
		})
		harness.ExpectOK("CU-10", err, "a ControllerPublishVolume was given up, and the volume is detached from the node that node_id names")
		if given {
			there.expectGone(ctx, "CU-10", fmt.Sprintf("ControllerPublishVolume of volume %s to %s was given up, and ControllerUnpublishVolume was OK after it", volume.GetVolumeId(), node))
			return
		}
	}
}
