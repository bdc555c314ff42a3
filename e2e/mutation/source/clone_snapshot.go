// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// leavingHelpers returns a driver that clones by way of a snapshot of the source, and leaves
// that.
func leavingHelpers() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		source := r.GetVolumeContentSource().GetVolume()
		if err != nil || source == nil {
			return response, err
		}
		if _, err := right.CreateSnapshot(ctx, &csi.CreateSnapshotRequest{Name: "for-" + r.GetName(), SourceVolumeId: source.GetVolumeId()}); err != nil {
			return nil, err
		}
		return response, nil
	})
}
