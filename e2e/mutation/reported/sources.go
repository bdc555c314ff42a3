// SPDX-License-Identifier: Apache-2.0

package reported

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// ofSources returns drivers that are wrong about snapshots, and about volumes from a source.
func ofSources() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"restores where the snapshot is, and answers the zone that was asked for": mutation.Wide(misplacing(), mutation.Fails("restore_out_of_reach", "TR-04")).Seen("cloud-provider-openstack issues 1945, 3088"),
	}
}

// misplacing makes a driver whose copies are in the zone of their source, whatever it answers.
func misplacing() mutation.Fault {
	return mutation.Where(func(r *csi.CreateVolumeRequest) bool {
		return r.GetVolumeContentSource() != nil && len(r.GetAccessibilityRequirements().GetRequisite()) > 0
	}, mutation.AnsweringVolume(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
		v.AccessibleTopology = slices.Concat(r.GetAccessibilityRequirements().GetPreferred(), r.GetAccessibilityRequirements().GetRequisite())[:1]
	})).Over(mutation.Asking(func(r *csi.CreateVolumeRequest) {
		if r.GetVolumeContentSource() != nil && len(r.GetAccessibilityRequirements().GetRequisite()) > 0 {
			r.AccessibilityRequirements = nil
		}
	}))
}
