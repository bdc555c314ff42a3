// SPDX-License-Identifier: Apache-2.0

// Package deletion deletes volumes that cases depend on, and expects calls not to find them any more.
package deletion

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Need deletes a volume that the case depends on. It keeps a volume that may belong to someone else: the answer to a
// request that should have been refused.
func Need(ctx context.Context, d *harness.Driver, volume *csi.Volume) {
	mustDelete(d)
	if harness.IsOwn(d, volume) {
		harness.NeedOK(d.Controller.DeleteVolume(ctx, Request(d, volume)))
	}
}

// mustDelete skips the case if the driver deletes no volumes: the profile's existing volume stays.
func mustDelete(d *harness.Driver) {
	if !d.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME) {
		suite.Skip(suite.ByCapability, "the case needs a volume that is deleted, and ControllerGetCapabilities does not list CREATE_DELETE_VOLUME")
	}
}

// Volume makes a volume and deletes it. Its volume_id has the form that the driver gives volume_ids, and is unknown to
// the driver.
func Volume(ctx context.Context, d *harness.Driver) *csi.Volume {
	mustDelete(d)
	volume := d.NeedVolume(ctx, d.Volume(1))
	harness.NeedOK(d.Controller.DeleteVolume(ctx, Request(d, volume)))
	return volume
}

// ExpectUnknown fails the case by the clause unless a call for a volume that was deleted is NOT_FOUND, once the driver
// has had time to delete it.
func ExpectUnknown(ctx context.Context, d *harness.Driver, clause string, deleted *csi.Volume, rpc string, call func() error) {
	var err error
	d.Settled(ctx, effect.Unknown, func() bool {
		err = call()
		return err != nil
	})
	if status.Code(err) != codes.NotFound {
		MustNotList(ctx, d, deleted)
	}
	harness.ExpectRefused(ctx, clause, err, fmt.Sprintf("volume %s was deleted, and %s of a volume that does not exist is NOT_FOUND", deleted.GetVolumeId(), rpc), codes.NotFound)
}

// MustNotList ends the case as an error if ListVolumes still returns a volume that was deleted: nothing says how soon
// it must disappear, so the driver may be right to know it.
func MustNotList(ctx context.Context, d *harness.Driver, deleted *csi.Volume) {
	if d.ListsVolumes() && listing.Volume(ctx, d, deleted.GetVolumeId()) != nil {
		suite.CouldNotTell("volume %s was deleted, and ListVolumes still has it: the driver may be right to list it. If it takes longer to delete volumes, raise settle in the profile's timeouts", deleted.GetVolumeId())
	}
}

// Request returns the call that deletes a volume.
func Request(d *harness.Driver, volume *csi.Volume) *csi.DeleteVolumeRequest {
	return &csi.DeleteVolumeRequest{VolumeId: volume.GetVolumeId(), Secrets: d.Profile().Secrets.DeleteVolume}
}
