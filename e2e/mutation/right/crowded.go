// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

func crowded() []Driver {
	const others, perPage = 1500, 500
	return []Driver{{Name: "lists-an-account",
		Is:     "lists the many volumes of others in its account among its own, in pages of the back end's size",
		Driver: mutation.Driver{Profile: sharedDisks, Fault: Account(others, perPage)}}}
}

// Account returns a driver that lists the given number of volumes of other users among its own, and limits
// the size of its pages.
func Account(others int, perPage int32) mutation.Fault {
	theirs := make([]*csi.ListVolumesResponse_Entry, others)
	for i := range theirs {
		theirs[i] = &csi.ListVolumesResponse_Entry{
			Volume: &csi.Volume{VolumeId: fmt.Sprintf("vol-of-others-%08x", i), CapacityBytes: 1 << 30,
				VolumeContext: map[string]string{"type": "ssd"}, AccessibleTopology: []*csi.Topology{mutation.Zone("Z2")}},
			Status: &csi.ListVolumesResponse_VolumeStatus{},
		}
	}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
		own, err := allVolumes(ctx, right, r)
		if err != nil {
			return nil, err
		}
		if r.GetMaxEntries() == 0 || r.GetMaxEntries() > perPage {
			r.MaxEntries = perPage
		}
		return pageOfVolumes(append(own, theirs...), r)
	})
}
