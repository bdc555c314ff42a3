package spec

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// readSegments asks every node where it is. The segments are in the order of their names, each once.
func (d *driver) readSegments(ctx context.Context) model.Set {
	var segments model.Set
	for _, node := range d.nodes {
		info := ask(ctx, d, "NodeGetInfo", node.NodeGetInfo, &csi.NodeGetInfoRequest{})
		segment := model.Segment(info.GetAccessibleTopology().GetSegments())
		if len(segment) > 0 && !segments.Contains(segment) {
			segments = append(segments, segment)
		}
	}
	slices.SortFunc(segments, func(a, b model.Segment) int { return strings.Compare(a.String(), b.String()) })
	return segments
}

// readWorld asks for the room in every segment.
func (d *driver) readWorld(ctx context.Context) model.World {
	var world model.World
	for _, segment := range d.segments {
		room, _ := d.room(ctx, segment)
		world = append(world, model.Place{Segment: segment, Room: room})
	}
	return world
}

// room is how many bytes a volume in the segment can have, as far as the driver tells; exact says that the driver calls
// it the largest volume, not only what is available altogether. A driver without GetCapacity has room everywhere, for
// nothing is filled without it.
func (d *driver) room(ctx context.Context, segment model.Segment) (bytes int64, exact bool) {
	if !d.claims[csi.ControllerServiceCapability_RPC_GET_CAPACITY] {
		return math.MaxInt64, false
	}
	response := ask(ctx, d, "GetCapacity", d.controller.GetCapacity, d.capacityRequest(segment))
	maximum := response.GetMaximumVolumeSize()
	if maximum == nil {
		return response.GetAvailableCapacity(), false
	}
	return min(response.GetAvailableCapacity(), maximum.GetValue()), true
}

// capacityRequest asks for the capacity of one segment, for volumes that are accessible from one.
func (d *driver) capacityRequest(segment model.Segment) *csi.GetCapacityRequest {
	parameters, _ := d.target.Profile.Parameters(1)
	return &csi.GetCapacityRequest{Parameters: parameters, AccessibleTopology: &csi.Topology{Segments: segment}}
}
