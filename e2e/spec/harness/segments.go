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
func (d *Driver) readWorld(ctx context.Context) (world model.World, available []int64) {
	for _, segment := range d.segments {
		room := d.room(ctx, segment)
		world = append(world, model.Place{Segment: segment, Room: room.largest})
		available = append(available, room.available)
	}
	return world, available
}

// measured reports whether the room in segments can be known.
func (d *Driver) measured() bool {
	return d.Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY) && !d.Profile().Capacity.Untracked()
}

// room is what the driver tells of the room in a segment.
type room struct {
	// largest is how many bytes one volume can have, and available how many all volumes together can have.
	largest, available int64
	// exact says that the driver calls the largest volume that, and not only what is available altogether.
	exact bool
}

// room asks for the room in a segment. A driver that does not tell has room everywhere: one that refuses to tell is for
// the cases on GetCapacity to judge.
func (d *Driver) room(ctx context.Context, segment model.Segment) room {
	unknown := room{largest: math.MaxInt64, available: math.MaxInt64}
	if !d.measured() {
		return unknown
	}
	response, err := d.Controller.GetCapacity(ctx, d.CapacityRequest(segment))
	if err != nil {
		return unknown
	}
	available, maximum := response.GetAvailableCapacity(), response.GetMaximumVolumeSize()
	if maximum == nil {
		return room{largest: available, available: available}
	}
	return room{largest: min(available, maximum.GetValue()), available: available, exact: true}
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
