// SPDX-License-Identifier: Apache-2.0

package reported

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// ofSources are wrong about snapshots, and about volumes from a source.
func ofSources() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"restores where the snapshot is, and answers the zone that was asked for": mutation.Wide(misplacing(), mutation.Fails("restore_out_of_reach", "TR-04")).Seen("cloud-provider-openstack issues 1945, 3088"),
	}
}

// misplacing makes a driver whose copies are in the zone of their source, whatever it answers.
func misplacing() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		asked := r.GetAccessibilityRequirements()
		if r.GetVolumeContentSource() == nil || len(asked.GetRequisite()) == 0 {
			return right.CreateVolume(ctx, r)
		}
		r.AccessibilityRequirements = nil
		response, err := right.CreateVolume(ctx, r)
		if err == nil {
			wanted := asked.GetRequisite()
			if len(asked.GetPreferred()) > 0 {
				wanted = asked.GetPreferred()
			}
			response.Volume.AccessibleTopology = wanted[:1]
		}
		return response, err
	})
}
