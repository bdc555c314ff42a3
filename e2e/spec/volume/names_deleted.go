// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// nameOfDeleted requests the name of a volume that was deleted, like the first time and without accessibility_requirements,
// because a driver may check less of such a request. name_free_after_deletion judges a refusal. A new volume may have the
// volume_id of the deleted one, if it is made of the name.
func nameOfDeleted() harness.Case {
	return harness.Case{
		ID:           "name_of_deleted",
		Text:         "answers the name of a deleted volume with a volume that exists, or refuses it",
		Requirements: []string{"CREATE-01", "CV-02"},
		Needs:        harness.Needs(harness.Volumes(3), harness.Attaches(1)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := creation(driver)
			first := mustCreate(ctx, driver, request)
			known := knownBy(ctx, driver, first)
			if len(known) == 0 {
				suite.Skip(suite.ByCapability, "no call shows whether a volume exists: the driver claims none of LIST_VOLUMES, GET_VOLUME and PUBLISH_UNPUBLISH_VOLUME, or knows the volume in none of them")
			}
			deletion.Need(ctx, driver, first)

			expectThere(ctx, driver, request, first, known)
			request.AccessibilityRequirements = nil
			if !driver.IsUnasked(ctx, request) {
				expectThere(ctx, driver, request, first, known)
			}
		},
	}
}

// expectThere makes the call with the name of the deleted volume, and fails the case if it is OK and none of the calls that
// knew the first volume knows the one in the answer. It deletes the latter.
func expectThere(ctx context.Context, driver *harness.Driver, request *csi.CreateVolumeRequest, deleted *csi.Volume, known []witness) {
	response, err := driver.Controller.CreateVolume(ctx, request)
	if err != nil {
		return
	}
	volume := response.GetVolume()
	for _, call := range known {
		var why string
		if driver.Settled(ctx, effect.Creation, func() bool {
			why = call.denies(ctx, driver, volume)
			return why == ""
		}) {
			continue
		}
		if call.needsAnother {
			call.mustKnow(ctx, driver)
		}
		of := "a new one"
		if volume.GetVolumeId() == deleted.GetVolumeId() {
			of = "the deleted one"
		}
		suite.Fail("CREATE-01", "the volume of the name was deleted, and CreateVolume of the name, %s, answered OK with volume %s, which is %s and does not exist: %s",
			describeRequirement(request), volume.GetVolumeId(), of, why)
	}
	deletion.Need(ctx, driver, volume)
}

func describeRequirement(request *csi.CreateVolumeRequest) string {
	if request.GetAccessibilityRequirements() == nil {
		return "without accessibility_requirements"
	}
	return "as the first time"
}

// witness is a call that knows existing volumes.
type witness struct {
	claims csi.ControllerServiceCapability_RPC_Type
	// denies explains why the volume does not exist. It is empty if nothing shows that.
	denies func(ctx context.Context, driver *harness.Driver, volume *csi.Volume) string
	// needsAnother says that a call may deny a volume for another reason, unless it does not deny another volume.
	needsAnother bool
}

// mustKnow ends the case, which cannot tell, if the call denies a volume that was just created.
func (w witness) mustKnow(ctx context.Context, driver *harness.Driver) {
	other := driver.NeedVolume(ctx, driver.Volume(1).Within(driver.Zones(1)...))
	if why := w.denies(ctx, driver, other); why != "" {
		suite.CouldNotTell("a volume that exists cannot be told from one that does not: of volume %s, which was just created, %s", other.GetVolumeId(), why)
	}
}

// knownBy returns the calls that know the volume, and so would know another one.
func knownBy(ctx context.Context, driver *harness.Driver, volume *csi.Volume) []witness {
	var known []witness
	for _, w := range []witness{
		{csi.ControllerServiceCapability_RPC_LIST_VOLUMES, unlisted, false},
		{csi.ControllerServiceCapability_RPC_GET_VOLUME, notFound, false},
		{csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME, unattachable, true},
	} {
		if driver.Claims(w.claims) && driver.Settled(ctx, effect.Creation, func() bool { return w.denies(ctx, driver, volume) == "" }) {
			known = append(known, w)
		}
	}
	return known
}

func unlisted(ctx context.Context, driver *harness.Driver, volume *csi.Volume) string {
	if !driver.ListsVolumes() || listing.Volume(ctx, driver, volume.GetVolumeId()) != nil {
		return ""
	}
	return "ListVolumes does not have it"
}

func notFound(ctx context.Context, driver *harness.Driver, volume *csi.Volume) string {
	_, err := driver.Controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: volume.GetVolumeId()})
	if status.Code(err) != codes.NotFound {
		return ""
	}
	return "ControllerGetVolume answers " + describe.Status(err)
}

// unattachable attaches the volume to the first of the nodes that reach it and accept it, and detaches it.
func unattachable(ctx context.Context, driver *harness.Driver, volume *csi.Volume) string {
	var refused string
	reaching, _ := publication.Reaching(driver, volume.GetAccessibleTopology())
	for _, node := range reaching {
		_, err := driver.Controller.ControllerPublishVolume(attempt.Tolerant(ctx), publication.AttachRequest(driver, volume, node))
		if err == nil {
			harness.NeedOK(driver.Controller.ControllerUnpublishVolume(ctx, publication.DetachRequest(driver, volume, node)))
			return ""
		}
		if unanswered, _ := attempt.WhyUnanswered(err); unanswered != "" || status.Code(err) == codes.ResourceExhausted {
			return "" // which says nothing about the volume
		}
		refused = "ControllerPublishVolume to " + node.String() + " answers " + describe.Status(err)
	}
	return refused
}
