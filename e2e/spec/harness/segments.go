package harness

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// readSegments are the segments that the nodes report, and those that the profile declares, in the order of their names,
// each once.
func (d *Driver) readSegments() model.Set {
	var segments model.Set
	add := func(segment model.Segment) {
		if len(segment) > 0 && !segments.Contains(segment) {
			segments = append(segments, segment)
		}
	}
	if !d.plugin[csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS] {
		return nil
	}
	for _, node := range d.Nodes {
		add(node.Segment)
	}
	for _, declared := range d.Profile().Segments {
		add(declared)
	}
	slices.SortFunc(segments, func(a, b model.Segment) int { return strings.Compare(a.String(), b.String()) })
	return segments
}

// readWorld asks for the room in every segment.
func (d *Driver) readWorld(ctx context.Context) model.World {
	var world model.World
	for _, segment := range d.segments {
		room, _ := d.room(ctx, segment)
		world = append(world, model.Place{Segment: segment, Room: room})
	}
	return world
}

// measured reports whether the room in segments can be known.
func (d *Driver) measured() bool {
	return d.Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY) && !d.Profile().Capacity.Untracked()
}

// room is how many bytes a volume in the segment can have, as far as the driver tells; exact says that the driver calls
// it the largest volume, not only what is available altogether. A driver that does not tell has room everywhere.
func (d *Driver) room(ctx context.Context, segment model.Segment) (bytes int64, exact bool) {
	if !d.measured() {
		return math.MaxInt64, false
	}
	response := ask(ctx, "GetCapacity", d.Controller.GetCapacity, d.CapacityRequest(segment))
	maximum := response.GetMaximumVolumeSize()
	if maximum == nil {
		return response.GetAvailableCapacity(), false
	}
	return min(response.GetAvailableCapacity(), maximum.GetValue()), true
}

// CapacityRequest asks for the capacity of one segment, of all of them when it is nil, for volumes that are accessible
// from one.
func (d *Driver) CapacityRequest(segment model.Segment) *csi.GetCapacityRequest {
	parameters, _ := d.Profile().Parameters(1)
	request := &csi.GetCapacityRequest{Parameters: parameters}
	if segment != nil {
		request.AccessibleTopology = &csi.Topology{Segments: segment}
	}
	return request
}
