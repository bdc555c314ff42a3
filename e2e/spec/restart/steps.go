// SPDX-License-Identifier: Apache-2.0

package restart

import (
	"context"
	"fmt"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// made is a volume from an answer of CreateVolume, and the request.
type made struct {
	request *csi.CreateVolumeRequest
	volume  *csi.Volume
}

// answer returns the answer of CreateVolume with the volume.
func (m made) answer() creation.Answer {
	return creation.AnswerOf(m.request, &csi.CreateVolumeResponse{Volume: m.volume}, nil)
}

// mustMake creates the volume, which the case depends on.
func mustMake(ctx context.Context, driver *harness.Driver, request *csi.CreateVolumeRequest) made {
	response, err := driver.Controller.CreateVolume(ctx, request)
	skipWithoutRoom(err)
	return made{request, harness.NeedOK(response, err).GetVolume()}
}

// skipWithoutRoom skips the case if a volume that it needs was refused for lack of room.
func skipWithoutRoom(err error) {
	if status.Code(err) == codes.ResourceExhausted {
		suite.Skip(suite.ByEnvironment, "there is no room for the volumes that the case needs: %s", describe.Status(err))
	}
}

// isFound reports whether ValidateVolumeCapabilities finds the volume. Other cases judge any other answer.
func isFound(ctx context.Context, driver *harness.Driver, volume *csi.Volume) bool {
	_, err := driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, volume, driver.Capability()))
	return status.Code(err) != codes.NotFound
}

// expectKept fails the case unless the volume still exists: CreateVolume of its name returns it, and
// ValidateVolumeCapabilities finds it. The latter comes first, because a driver may recreate a volume under an id that
// follows from its name.
func expectKept(ctx context.Context, driver *harness.Driver, was made, happened string) {
	found := isFound(ctx, driver, was.volume)
	response, err := driver.Controller.CreateVolume(ctx, was.request)
	asked := fmt.Sprintf("CreateVolume answered OK for the name %s with volume %s; then %s, and CreateVolume was repeated", was.request.GetName(), was.volume.GetVolumeId(), happened)
	harness.ExpectOK("CV-03", err, asked)
	again := response.GetVolume()
	suite.Must("CV-02", again.GetVolumeId() == was.volume.GetVolumeId(), "%s: it answered volume %s", asked, again.GetVolumeId())
	suite.Must("VV-03", found, "CreateVolume answered OK with volume %s; then %s, and ValidateVolumeCapabilities did not find it: NOT_FOUND is for a volume that does not exist", was.volume.GetVolumeId(), happened)
	creation.ExpectSame(driver, creation.AnswerOf(was.request, response, nil), was.answer())
	now, before := again.GetCapacityBytes(), was.volume.GetCapacityBytes()
	suite.Must("CV-02", now == before || now == 0 || before == 0, "%s: its capacity_bytes was %d, and is %d", asked, before, now)
}

// expectListed fails the case if ListVolumes leaves out a volume that other calls find.
func expectListed(ctx context.Context, driver *harness.Driver, volume *csi.Volume) {
	if !driver.ListsVolumes() {
		return
	}
	listed := driver.Settled(ctx, effect.Creation, func() bool { return listing.Volume(ctx, driver, volume.GetVolumeId()) != nil })
	suite.Must("LV-01", listed, "the driver was restarted and knows volume %s, and ListVolumes, which returns all volumes that the driver knows about, does not have it", volume.GetVolumeId())
}

// expectDeleted deletes the volume, and warns if the driver still lists it.
func expectDeleted(ctx context.Context, driver *harness.Driver, volume *csi.Volume) {
	_, err := driver.Controller.DeleteVolume(ctx, deletion.Request(driver, volume))
	harness.ExpectOK("DV-01", err, fmt.Sprintf("volume %s was created before the driver was restarted, nothing uses it, and it is deleted", volume.GetVolumeId()))
	if driver.ListsVolumes() {
		gone := driver.Settled(ctx, effect.Deletion, func() bool { return listing.Volume(ctx, driver, volume.GetVolumeId()) == nil })
		suite.Should(ctx, "DV-01", gone, "DeleteVolume answered OK for volume %s, and ListVolumes still has it", volume.GetVolumeId())
	}
}

// restartLater waits, so that the time of the restart differs from the time of existing objects even if it is rounded to
// seconds, and restarts the driver.
func restartLater(ctx context.Context, driver *harness.Driver) {
	_ = attempt.Pause(ctx, time.Second) // an interrupt also ends what follows
	harness.RestartDriver(ctx, driver)
}

// expectSameTime fails the case by the clause if the snapshot was not taken at the same time as before the restart.
func expectSameTime(clause, asked string, now, before messages.Taken) {
	suite.Must(clause, messages.SameTime(now, before), "%s: its creation_time was %s, and is %s", asked, before.GetCreationTime().AsTime(), now.GetCreationTime().AsTime())
}

const wasRestarted = "the driver was restarted"
