package harness

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// segmentsOfNodes are the segments that the nodes report, and those that the profile declares, in the order of their
// names, each once.
func (d *Driver) segmentsOfNodes() model.Set {
	var segments model.Set
	add := func(segment model.Segment) {
		if len(segment) > 0 && !segments.Contains(segment) {
			segments = append(segments, segment)
		}
	}
	if !d.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS) {
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

// worldOf is the driver's segments with the room in each.
func (d *Driver) worldOf(rooms map[string]room) (world model.World, available []int64) {
	for _, segment := range d.segments {
		there, told := rooms[segment.String()]
		if !told {
			there = unknownRoom()
		}
		world = append(world, model.Place{Segment: segment, Room: there.largest})
		available = append(available, there.available)
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

// unknownRoom is that of a driver that does not tell: it has room everywhere. One that refuses to tell is for the cases
// on GetCapacity to judge.
func unknownRoom() room {
	return room{largest: math.MaxInt64, available: math.MaxInt64}
}

// room asks for the room in a segment.
func (d *Driver) room(ctx context.Context, segment model.Segment) room {
	if !d.measured() {
		return unknownRoom()
	}
	response, err := d.Controller.GetCapacity(ctx, d.CapacityRequest(segment))
	if err != nil {
		return unknownRoom()
	}
	return roomOf(response)
}

func roomOf(response *csi.GetCapacityResponse) room {
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

// survey reads the driver's state, and the room in its segments, which is that of the state where capacity is watched.
func (d *Driver) survey(ctx context.Context) (state, map[string]room, error) {
	before, err := d.readState(ctx)
	if err != nil || d.Profile().Capacity.Exact() {
		return before, before.rooms, err
	}
	rooms, err := d.readRooms(ctx)
	return before, rooms, err
}
