// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// NeedDeleted deletes a volume, which the case depends on.
func (d *Driver) NeedDeleted(ctx context.Context, volume *csi.Volume) {
	Need(d.Controller.DeleteVolume(ctx, d.DeleteVolumeRequest(volume)))
}

// DeletedVolume makes a volume and deletes it: its volume_id has the form that the driver gives them, and is unknown.
func (d *Driver) DeletedVolume(ctx context.Context) *csi.Volume {
	volume := d.NeedVolume(ctx, d.Volume(1))
	d.NeedDeleted(ctx, volume)
	return volume
}

// ExpectUnknown fails the case by the clause unless a call for a volume that was deleted is NOT_FOUND, once the driver has
// had time to delete it.
func (d *Driver) ExpectUnknown(ctx context.Context, clause string, deleted *csi.Volume, rpc string, call func() error) {
	var err error
	d.Settled(ctx, ShownUnknown, func() bool {
		err = call()
		return err != nil
	})
	if status.Code(err) != codes.NotFound {
		d.MustNotList(ctx, deleted)
	}
	ExpectRefused(ctx, clause, err, fmt.Sprintf("volume %s was deleted, and %s of a volume that does not exist is NOT_FOUND", deleted.GetVolumeId(), rpc), codes.NotFound)
}

// MustNotList ends the case, which could not tell, if ListVolumes still has a volume that was deleted: nothing says how soon
// it is gone, and the driver may be right to know it.
func (d *Driver) MustNotList(ctx context.Context, deleted *csi.Volume) {
	if d.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES) && d.ListedVolume(ctx, deleted.GetVolumeId()) != nil {
		suite.CouldNotTell("volume %s was deleted, and ListVolumes still has it: whether the driver is right to know it is open. If it takes longer to delete volumes, raise settle in the profile's timeouts", deleted.GetVolumeId())
	}
}
