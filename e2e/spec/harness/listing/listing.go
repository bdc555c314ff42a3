// SPDX-License-Identifier: Apache-2.0

// Package listing reads the driver's reports about a volume, by each call that it claims for that.
package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Volumes returns the volumes of every page of ListVolumes that the case made, for a case that is not about the list. The
// error is the error of the call that failed, with the page.
func Volumes(ctx context.Context, d *harness.Driver) ([]*csi.Volume, error) {
	entries, err := Entries(ctx, d, 0)
	var volumes []*csi.Volume
	for _, entry := range entries {
		volumes = append(volumes, entry.GetVolume())
	}
	return volumes, err
}

// Entries is like Volumes, but returns entries, from pages of at most the given number of entries; 0 leaves the number
// to the driver.
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

// Volume returns the entry of ListVolumes for the volume, which the case made, from any page; nil if there is none. It skips
// the case if the list cannot be used.
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

// Reported returns the volume as reported now by each of the calls ControllerGetVolume and ListVolumes that the driver
// claims, by the call's name. A list without the volume has nil; a list that cannot be used is left out.
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
