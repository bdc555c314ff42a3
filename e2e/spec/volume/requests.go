// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// creation requests a volume of the case's size, in the driver's first segment if it has any. A case changes the fields that
// it is about.
func creation(driver *harness.Driver) *csi.CreateVolumeRequest {
	return driver.CreateVolumeRequest(driver.Volume(1).Within(driver.Zones(1)...))
}

// mustCreate creates a volume that the case depends on. Without room or quota the case is skipped.
func mustCreate(ctx context.Context, driver *harness.Driver, request *csi.CreateVolumeRequest) *csi.Volume {
	response, err := driver.Controller.CreateVolume(ctx, request)
	skipWithoutRoom(err)
	return harness.NeedOK(response, err).GetVolume()
}

// skipWithoutRoom skips the case if the call was refused for lack of room or quota.
func skipWithoutRoom(err error) {
	if status.Code(err) == codes.ResourceExhausted {
		suite.Skip(suite.ByEnvironment, "there is no room for a volume that the case needs: %s", describe.Status(err))
	}
}

// expectRefused fails the case by the clause unless CreateVolume is refused with one of the codes, and warns of leftovers.
func expectRefused(ctx context.Context, driver *harness.Driver, request *csi.CreateVolumeRequest, clause, why string, with ...codes.Code) {
	left := driver.Held.Changes(ctx, func() {
		response, err := driver.Controller.CreateVolume(ctx, request)
		if err == nil {
			why += fmt.Sprintf("\nanswered: volume %s with capacity_bytes %d", response.GetVolume().GetVolumeId(), response.GetVolume().GetCapacityBytes())
		}
		harness.ExpectRefused(ctx, clause, err, why, with...)
	})
	warnOfLeft(ctx, driver, left)
}

// warnOfLeft warns of the leftovers of a refused call, or reports that they cannot be seen.
func warnOfLeft(ctx context.Context, driver *harness.Driver, left []string) {
	for _, change := range left {
		suite.Warn(ctx, "CV-07", "CreateVolume was refused, and left something behind: %s", change)
	}
	if !showsVolumes(driver) {
		suite.Reduced(ctx, "nothing shows whether the call left something behind: capacity is not exact, and %s", driver.WhyVolumesUnlisted())
	}
}

// showsVolumes reports whether calls show every volume of the driver.
func showsVolumes(driver *harness.Driver) bool {
	return driver.ListsVolumes() || driver.Profile().Capacity.Exact()
}

// expectRepeated fails the case unless the call that created a volume returns it when repeated.
func expectRepeated(ctx context.Context, driver *harness.Driver, request *csi.CreateVolumeRequest, volume *csi.Volume, why string) {
	again, err := driver.Controller.CreateVolume(ctx, request)
	harness.ExpectOK("CV-03", err, why)
	suite.Must("CV-03", again.GetVolume().GetVolumeId() == volume.GetVolumeId(), "%s\ngot volume %s, and the volume of the name is %s", why, again.GetVolume().GetVolumeId(), volume.GetVolumeId())
}
