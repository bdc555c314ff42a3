// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// capabilitiesAccessType requests the access type that volumes of the suite do not have otherwise.
func capabilitiesAccessType() harness.Case {
	return harness.Case{
		ID:           "capabilities_access_type",
		Text:         "does not confirm an access type that it refuses to create a volume with",
		Requirements: []string{"CV-12", "VV-01"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			other := driver.Block()
			if driver.Capability().GetBlock() != nil {
				other = driver.Mount()
			}
			request := creation(driver)
			request.VolumeCapabilities = []*csi.VolumeCapability{other}
			_, err := driver.Controller.CreateVolume(ctx, request)
			if err == nil {
				return
			}
			if status.Code(err) != codes.InvalidArgument {
				suite.Reduced(ctx, "CreateVolume with %s was refused, which does not say that it is not supported: %s", describe.Capability(other), describe.Status(err))
				return
			}

			volume := mustCreate(ctx, driver, creation(driver))
			suite.Must("VV-01", !isConfirmed(ctx, driver, volume, other),
				"ValidateVolumeCapabilities confirms only what is supported, and confirms %s for volume %s; CreateVolume refuses to create a volume with it", describe.Capability(other), volume.GetVolumeId())
		},
	}
}
