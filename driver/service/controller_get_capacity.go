// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// getCapacity returns the capacity for new volumes of a class in the segments that match the topology, which may name
// only some keys, or in all segments if none is given. available_capacity is the sum over these segments, which a single
// volume cannot use; maximum_volume_size is the size of the largest volume. For volumes that are accessible from several
// segments, both also consider the room needed in the other segments (see pool.Usable). A topology that no node is in,
// and capabilities that no volume has, have a capacity of 0 (CAP-02, CAP-07).
func (c *controller) getCapacity(_ context.Context, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
	asked, err := c.parseParameters(r.GetParameters())
	if err != nil {
		return nil, err
	}
	var total, largest int64
	if len(r.GetVolumeCapabilities()) == 0 || checkCapabilities(asked.kind, r.GetVolumeCapabilities()) == nil {
		total, largest = c.placement.usableBytes(c.inventory.Segments(), r.GetAccessibleTopology().GetSegments(), asked.class, asked.zones)
	}
	sizes := c.sizesOf(asked.kind)
	response := &csi.GetCapacityResponse{
		AvailableCapacity: total,
		MaximumVolumeSize: wrapperspb.Int64(sizes.largest(largest)),
	}
	// A minimum of one byte is no minimum, and the field must then be unset (CAP-24).
	if smallest := sizes.smallest(); smallest > 1 {
		response.MinimumVolumeSize = wrapperspb.Int64(smallest)
	}
	return response, nil
}
