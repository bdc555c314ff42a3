// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// ListVolumes are the volumes of every page of ListVolumes. The error is that of the call that failed, with the page.
func (d *Driver) ListVolumes(ctx context.Context) ([]*csi.Volume, error) {
	var volumes []*csi.Volume
	err := eachPage("ListVolumes", func(token string) (next string, err error) {
		response, err := d.Controller.ListVolumes(ctx, &csi.ListVolumesRequest{StartingToken: token})
		for _, entry := range response.GetEntries() {
			volumes = append(volumes, entry.GetVolume())
		}
		return response.GetNextToken(), err
	})
	return volumes, err
}
