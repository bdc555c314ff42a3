// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// getCapacity returns what new volumes of a class can use of the segments that match the
// topology, which may name only some keys, or of all if none is given.
// available_capacity is the sum over those segments, which one volume cannot
// use; maximum_volume_size is what it can. For volumes that are accessible from
// several segments both count the room that they need in the others, too (see
// pool.Usable). A topology that no node is in, and capabilities that no volume
// has, have a capacity of 0 (CAP-02, CAP-07).
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
	// One byte is as good as no minimum, which is to be left unset (CAP-24).
	if smallest := sizes.smallest(); smallest > 1 {
		response.MinimumVolumeSize = wrapperspb.Int64(smallest)
	}
	return response, nil
}
