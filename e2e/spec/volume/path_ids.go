// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/absent"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// deleteByPath calls DeleteVolume with ids that no volume has. A driver that uses ids as paths deletes another volume, or
// its data, by them.
func deleteByPath() harness.Case {
	return harness.Case{
		ID:           "delete_by_path",
		Text:         "keeps a volume, and its data, when DeleteVolume gets an id that leads to it as a path, or that begins or ends like its id",
		Requirements: []string{"DV-02", "VOL-04", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Volumes(2), harness.Attaches(1)),
		Long:         true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			const text = "written before"
			request := driver.CreateVolumeRequest(plainFor(driver))
			volume, other := mustCreate(ctx, driver, request), mustCreate(ctx, driver, driver.CreateVolumeRequest(plainFor(driver)))
			writes := data.ShowsData(driver)
			if writes {
				data.WriteTo(ctx, driver.Nodes[0], volume, text)
				data.NeedKept(ctx, driver.Nodes[0], volume, text)
			} else {
				suite.Reduced(ctx, "the data of the volume was not looked at")
			}
			ids := append(absent.PathsTo(volume.GetVolumeId(), other.GetVolumeId()), absent.Longer(volume.GetVolumeId())...)
			if len(ids) == 0 {
				suite.Skip(suite.ByCapability, "no other id of at most 128 bytes leads to volume %s", volume.GetVolumeId())
			}
			named := isNamed(ctx, driver, request, volume)
			for _, id := range ids {
				_, err := driver.Controller.DeleteVolume(ctx, deletion.Request(driver, &csi.Volume{VolumeId: id}))

				what := fmt.Sprintf("DeleteVolume was called for the volume_id %q, which no volume has", id)
				harness.ExpectOKOrRefused(ctx, "DV-02", err, what)
				suite.Must("VOL-04", isFound(ctx, driver, volume), "%s\nValidateVolumeCapabilities no longer finds volume %s", what, volume.GetVolumeId())
				suite.Must("VOL-04", !named || isNamed(ctx, driver, request, volume), "%s\nCreateVolume of the name of volume %s returned that volume before, and no longer does", what, volume.GetVolumeId())
				if writes {
					got := data.ReadFrom(ctx, driver.Nodes[0], volume)
					suite.Must("VOL-04", got == text, "%s\n%q was written to volume %s before, which has %q now", what, text, volume.GetVolumeId(), got)
				}
			}
		},
	}
}

// isNamed reports whether CreateVolume of the name is answered with the volume.
func isNamed(ctx context.Context, driver *harness.Driver, request *csi.CreateVolumeRequest, volume *csi.Volume) bool {
	again, err := driver.Controller.CreateVolume(ctx, request)
	return err == nil && again.GetVolume().GetVolumeId() == volume.GetVolumeId()
}

// isFound reports whether ValidateVolumeCapabilities does not return NOT_FOUND for the volume.
func isFound(ctx context.Context, driver *harness.Driver, volume *csi.Volume) bool {
	_, err := driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, volume, driver.Capability()))
	return status.Code(err) != codes.NotFound
}

// plainFor requests a volume that the first node can use, or a volume anywhere if there are no nodes.
func plainFor(driver *harness.Driver) model.Request {
	if len(driver.Nodes) == 0 {
		return driver.Volume(1)
	}
	return driver.VolumeFor(driver.Nodes[0])
}
