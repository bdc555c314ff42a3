// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/absent"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// deleteMadeAgain deletes a volume, creates another one of its name, and deletes that. A driver that makes volume_ids of
// names, and remembers deleted volumes for a while, mistakes the second deletion for a repeated one; one that finds volumes
// by their names mistakes the first deletion, when it is repeated, for the second. name_free_after_deletion judges a refusal
// of the name.
func deleteMadeAgain() harness.Case {
	return harness.Case{
		ID:           "delete_made_again",
		Text:         "deletes a volume that has the name of one that was deleted before, and not when that one is deleted again",
		Requirements: []string{"CV-01", "DV-01", "VOL-04"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := creation(driver)
			first := mustCreate(ctx, driver, request)
			mounts := len(driver.Nodes) > 0 && !showsDeletion(ctx, driver, first) && isMountable(ctx, driver, first)
			deletion.Need(ctx, driver, first)
			mounts = mounts && !isMountable(ctx, driver, first)
			response, err := driver.Controller.CreateVolume(ctx, request)
			if err != nil {
				suite.Reduced(ctx, "the name of a deleted volume is not taken again: see name_free_after_deletion")
				return
			}
			again := response.GetVolume()
			if again.GetVolumeId() != first.GetVolumeId() && isNamed(ctx, driver, request, again) {
				_, _ = driver.Controller.DeleteVolume(ctx, deletion.Request(driver, first)) // delete_again judges it
				suite.Must("VOL-04", isNamed(ctx, driver, request, again), "volume %s was deleted, and volume %s was made under its name\nDeleteVolume of %s was repeated, and CreateVolume of the name no longer returns %s",
					first.GetVolumeId(), again.GetVolumeId(), first.GetVolumeId(), again.GetVolumeId())
			}

			_, err = driver.Controller.DeleteVolume(ctx, deletion.Request(driver, again))

			harness.ExpectOK("CV-01", err, "CREATE_DELETE_VOLUME is claimed, and a volume that nothing uses is deleted")
			if !mounts { // something else shows whether a volume exists, or nothing does
				warnIfKept(ctx, driver, again)
				return
			}
			gone := driver.Settled(ctx, effect.Deletion, func() bool { return !isMountable(ctx, driver, again) })
			suite.Should(ctx, "DV-01", gone, "a volume of the name was deleted, one was made again, and DeleteVolume of it answered OK: it can still be mounted, as the first one could not once it was deleted")
		},
	}
}

// warnIfKept warns if the driver still shows a volume after DeleteVolume returned OK. Back ends that delete in the background may
// take longer than the case waits.
func warnIfKept(ctx context.Context, driver *harness.Driver, volume *csi.Volume) {
	if !showsDeletion(ctx, driver, volume) {
		suite.Reduced(ctx, "no call shows whether the volume was deleted: ValidateVolumeCapabilities knows any volume_id, and %s", driver.WhyVolumesUnlisted())
		return
	}
	gone := driver.Settled(ctx, effect.Deletion, func() bool {
		if driver.ListsVolumes() {
			return listing.Volume(ctx, driver, volume.GetVolumeId()) == nil
		}
		return !isKnown(ctx, driver, volume)
	})
	suite.Should(ctx, "DV-01", gone, "DeleteVolume answered OK, and the volume is still there")
}

// showsDeletion reports whether a call to the controller shows that a volume was deleted.
func showsDeletion(ctx context.Context, driver *harness.Driver, volume *csi.Volume) bool {
	return driver.ListsVolumes() || !isKnown(ctx, driver, &csi.Volume{VolumeId: absent.Unlike(volume.GetVolumeId())})
}

// isKnown reports whether ValidateVolumeCapabilities finds the volume.
func isKnown(ctx context.Context, driver *harness.Driver, volume *csi.Volume) bool {
	_, err := driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, volume, driver.Capability()))
	return err == nil
}

// isMountable reports whether the volume can be published on a node. It takes the volume away again.
func isMountable(ctx context.Context, driver *harness.Driver, volume *csi.Volume) bool {
	var said suite.Outcome // of the volume, and not of the case
	said.Run(func() {
		ctx := suite.With(attempt.Tolerant(ctx), &said)
		node := publication.For(driver.Nodes[0], volume)
		publication.TakeAway(ctx, node, volume, publication.Publish(ctx, node, volume))
	})
	return said.End == nil
}
