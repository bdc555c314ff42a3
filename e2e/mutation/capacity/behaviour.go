// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

type (
	question = csi.GetCapacityRequest
	answer   = csi.GetCapacityResponse
)

// books are bytes that a driver takes for taken, or for free, in the zones that they are in.
type books map[string]int64

// enter enters the bytes of the volume in all of its zones.
func (b books) enter(v *csi.Volume, bytes int64) {
	for _, topology := range v.GetAccessibleTopology() {
		b[mutation.ZoneOf(topology)] += bytes
	}
}

// wrong returns a driver whose available capacity is off by what its books have.
func (b books) wrong() mutation.Fault {
	return mutation.Answering(func(r *question, told *answer) {
		for _, zone := range slices.Sorted(maps.Keys(b)) {
			if r.GetAccessibleTopology() == nil || mutation.ZoneOf(r.GetAccessibleTopology()) == zone {
				told.AvailableCapacity -= b[zone]
			}
		}
	})
}

// deleted does what follows from the deletion of a volume.
func deleted(then func(volumeID string)) mutation.Fault {
	return mutation.OnOK(func(r *csi.DeleteVolumeRequest) { then(r.GetVolumeId()) })
}

func forTwoZones(r *question) bool { return r.GetParameters()["zones"] == "2" }

// maximumOfOne makes a driver whose maximum for volumes of two zones is the maximum for volumes
// of one.
func maximumOfOne() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *question) (*answer, error) {
		response, err := right.GetCapacity(ctx, r)
		if err != nil || !forTwoZones(r) {
			return response, err
		}
		one, err := right.GetCapacity(ctx, &question{AccessibleTopology: r.GetAccessibleTopology()})
		response.MaximumVolumeSize = one.GetMaximumVolumeSize()
		return response, err
	})
}
