// SPDX-License-Identifier: Apache-2.0

// Package listing finds what the driver tells of a volume, by whichever call it claims for that.
package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Volumes are the volumes of every page of ListVolumes that the case made, which is not about the list. The error is that of the
// call that failed, with the page.
func Volumes(ctx context.Context, d *harness.Driver) ([]*csi.Volume, error) {
	entries, err := Entries(ctx, d, 0)
	var volumes []*csi.Volume
	for _, entry := range entries {
		volumes = append(volumes, entry.GetVolume())
	}
	return volumes, err
}

// Entries are the entries of the volumes of Volumes, from pages with as many entries as most at the most; 0 leaves that to the
// driver.
func Entries(ctx context.Context, d *harness.Driver, most int32) ([]*csi.ListVolumesResponse_Entry, error) {
	list := "ListVolumes"
	if most > 0 {
		list += " with max_entries"
	}
	var entries []*csi.ListVolumesResponse_Entry
	err := d.Pages.Each(ctx, list, func(ctx context.Context, token string) (next string, err error) {
		response, err := d.Controller.ListVolumes(ctx, &csi.ListVolumesRequest{StartingToken: token, MaxEntries: most})
		for _, entry := range response.GetEntries() {
			if d.Made.Has(entry.GetVolume().GetVolumeId()) {
				entries = append(entries, entry)
			}
		}
		return response.GetNextToken(), err
	})
	return entries, err
}

// Volume is the volume, which the case made, as ListVolumes has it, on whichever page; nil when it is on none. Where the list is
// not to be used, the case is skipped.
func Volume(ctx context.Context, d *harness.Driver, id string) *csi.Volume {
	volumes, err := Volumes(ctx, d)
	harness.MustBeListed(d, err)
	for _, volume := range volumes {
		if volume.GetVolumeId() == id {
			return volume
		}
	}
	return nil
}

// Reported is the volume as each call shows it now that the driver claims for that: ControllerGetVolume and ListVolumes,
// by their names. A list without it has nil; one that is not to be used shows nothing.
func Reported(ctx context.Context, d *harness.Driver, volumeID string) map[string]*csi.Volume {
	reported := map[string]*csi.Volume{}
	if d.Claims(csi.ControllerServiceCapability_RPC_GET_VOLUME) {
		reported["ControllerGetVolume"] = harness.NeedOK(d.Controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: volumeID})).GetVolume()
	}
	if d.ListsVolumes() {
		reported["ListVolumes"] = Volume(ctx, d, volumeID)
	}
	return reported
}
