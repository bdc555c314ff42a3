// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/absent"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/calls"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// deletionCases returns the cases about DeleteVolume.
func deletionCases() []harness.Case {
	return []harness.Case{deleteAgain(), deleteMadeAgain(), deleteCutShort(), deletePublished(), deleteByPath()}
}

// unknown returns a volume that no driver has.
func unknown() *csi.Volume {
	return &csi.Volume{VolumeId: "csi-topo-no-such-volume"}
}

// deleteAgain deletes a volume twice, as a CO does after a lost answer, and one that never existed.
func deleteAgain() harness.Case {
	return harness.Case{
		ID:           "delete_again",
		Text:         "returns OK when a volume is deleted twice, or never existed",
		Requirements: []string{"CV-01", "DV-01", "DV-02"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := creation(driver)
			volume := mustCreate(ctx, driver, request)

			_, err := driver.Controller.DeleteVolume(ctx, deletion.Request(driver, volume))
			harness.ExpectOK("CV-01", err, "CREATE_DELETE_VOLUME is claimed, and a volume that nothing uses is deleted")
			warnIfKept(ctx, driver, volume)
			_, err = driver.Controller.DeleteVolume(ctx, deletion.Request(driver, volume))
			harness.ExpectOK("DV-01", err, "DeleteVolume was repeated, and is idempotent")
			deleteUnknown(ctx, driver, volume, request.GetName())
		},
	}
}

// deleteUnknown deletes a volume that never existed. If volume_ids contain names, its id has the driver's own form;
// otherwise it has another form, which a driver may call invalid (GEN-12), because an id of the driver's form may belong to
// a real volume.
func deleteUnknown(ctx context.Context, driver *harness.Driver, volume *csi.Volume, name string) {
	if id := absent.Named(volume.GetVolumeId(), name, driver.Name()); id != "" {
		_, err := driver.Controller.DeleteVolume(ctx, deletion.Request(driver, &csi.Volume{VolumeId: id}))
		harness.ExpectOK("DV-02", err, fmt.Sprintf("a volume that does not exist is OK, and volume %s never did", id))
		return
	}
	_, err := driver.Controller.DeleteVolume(ctx, deletion.Request(driver, unknown()))
	harness.ExpectOKOrRefused(ctx, "DV-02", err, fmt.Sprintf("a volume that does not exist is OK, and volume %s never did", unknown().GetVolumeId()), codes.InvalidArgument)
	suite.Should(ctx, "DV-02", err == nil, "volume %s never existed, and DeleteVolume of it should be OK: that the volume_id is not of the driver's form is no reason to keep a CO trying\ngot: %s",
		unknown().GetVolumeId(), describe.Status(err))
}

// deleteCutShort cancels the call and repeats it, as a CO does after a timeout.
func deleteCutShort() harness.Case {
	return harness.Case{
		ID:           "delete_cut_short",
		Text:         "deletes a volume when DeleteVolume is cut short and repeated",
		Requirements: []string{"DV-01", "DV-02", "GEN-07"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := mustCreate(ctx, driver, creation(driver))

			_, err := calls.CutShort(ctx, driver, func(ctx context.Context) (*csi.DeleteVolumeResponse, error) {
				return driver.Controller.DeleteVolume(ctx, deletion.Request(driver, volume))
			})

			harness.ExpectOK("DV-01", err, "DeleteVolume was cut short and repeated: a call that is repeated continues where it left off, and a volume that does not exist is OK")
			warnIfKept(ctx, driver, volume)
		},
	}
}

// deletePublished deletes a published volume, whose workload would lose its data. A driver that cannot delete it returns
// FAILED_PRECONDITION; one that deletes it gets a warning. A refused call does not change the volume, and succeeds once the
// volume is unpublished.
func deletePublished() harness.Case {
	return harness.Case{
		ID:           "delete_published",
		Text:         "should refuse to delete a published volume, and deletes it once it is unpublished",
		Requirements: []string{"DV-05", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Nodes(1), harness.Volumes(1), harness.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			response, err := driver.Controller.CreateVolume(ctx, driver.CreateVolumeRequest(driver.VolumeFor(node)))
			skipWithoutRoom(err)
			volume := harness.NeedOK(response, err).GetVolume()
			publication.Attach(ctx, driver, volume, node)

			_, err = driver.Controller.DeleteVolume(ctx, deletion.Request(driver, volume))
			if err == nil {
				suite.Warn(ctx, "DV-05", "the volume is published to %s, and DeleteVolume answered OK: a workload there loses its data. Deleting a volume in use should be FAILED_PRECONDITION", node)
				return
			}
			harness.ExpectRefused(ctx, "DV-05", err, fmt.Sprintf("the volume is published to %s, and deleting a volume in use is FAILED_PRECONDITION", node), codes.FailedPrecondition)
			_, err = driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, volume, driver.Capability()))
			suite.Must("DV-05", status.Code(err) != codes.NotFound, "DeleteVolume was refused as the volume is in use, and ValidateVolumeCapabilities no longer finds it")

			harness.NeedOK(driver.Controller.ControllerUnpublishVolume(ctx, publication.DetachRequest(driver, volume, node)))
			_, err = driver.Controller.DeleteVolume(ctx, deletion.Request(driver, volume))
			harness.ExpectOK("DV-05", err, "the volume is no longer published: there is no reason to refuse DeleteVolume")
		},
	}
}
