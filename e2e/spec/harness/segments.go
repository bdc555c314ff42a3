// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// segmentsKnown are the segments that the nodes report, and those that the profile declares, in the order of their names,
// each once. Where there are none, they are those that volumes told.
func (d *Driver) segmentsKnown() model.Set {
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
	for _, kind := range d.Profile().Volumes {
		for _, declared := range kind.Segments {
			add(declared)
		}
	}
	if len(segments) == 0 {
		segments = slices.Clone(d.claims.learnt)
	}
	slices.SortFunc(segments, func(a, b model.Segment) int { return strings.Compare(a.String(), b.String()) })
	return segments
}

// worldOf is the driver's segments with the room in each. Where the profile does not list segments, there may be others
// than those that the node endpoints report.
func (d *Driver) worldOf(rooms map[string]room) model.World {
	constrained := d.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS)
	world := model.World{Open: constrained && len(d.Profile().Segments) == 0}
	for _, segment := range d.segments {
		there := model.Room{} // where a kind of volume does not exist, there may be room for another
		if d.usable.Contains(segment) {
			there = d.roomIn(rooms[segment.String()])
		}
		world = world.With(segment, there)
	}
	return world
}

// existsIn reports whether there are volumes of the kind in the segment.
func existsIn(kind profile.Kind, segment model.Segment) bool {
	return len(kind.Segments) == 0 || slices.ContainsFunc(kind.Segments, func(s map[string]string) bool { return segment.Equal(s) })
}

// having are the driver's segments that have the plain kind of volume, and that for x topologies.
func (d *Driver) having(x int) model.Set {
	found := slices.DeleteFunc(slices.Clone(d.segments), func(segment model.Segment) bool {
		return !d.Makes(1, segment) || x > 1 && !d.Makes(x, segment)
	})
	if kind, _ := d.Profile().Kind(x); x > 1 && kind.Sharing != "" {
		return d.together(found, x, kind.Sharing)
	}
	return found
}

// together are the segments by what they share, without those of which there are fewer than x. Where not all are known, what
// shares the most stays, as there may be others that share it too.
func (d *Driver) together(segments model.Set, x int, key string) model.Set {
	var enough, most model.Set
	for _, segment := range segments {
		apart := func(other model.Segment) bool { return other[key] != segment[key] }
		alike := slices.DeleteFunc(slices.Clone(segments), apart)
		if len(alike) > len(most) {
			most = alike
		}
		if len(alike) >= x && !enough.Contains(segment) {
			enough = append(enough, alike...)
		}
	}
	if len(enough) == 0 && len(d.Profile().Segments) == 0 {
		return most
	}
	return enough
}

// roomIn is the room as the oracle has it. Only capacity that the profile calls exact says what there is no room for.
func (d *Driver) roomIn(there room) model.Room {
	switch {
	case !there.told:
		return model.Room{}
	case d.Profile().Capacity.Exact():
		return model.Exactly(there.largest)
	default:
		return model.AtLeast(there.largest)
	}
}

// measured reports whether the room in segments can be known.
func (d *Driver) measured() bool {
	return d.Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY) && !d.Profile().Capacity.Untracked()
}

// room is what the driver tells of the room in a segment. The zero room is that of a driver that does not tell.
type room struct {
	told bool
	// largest is how many bytes one volume can have, and available how many all volumes together can have.
	largest, available int64
	// exact says that the driver tells the size of the largest volume, and not only what is available altogether.
	exact bool
}

// room asks for the room in a segment. A driver that refuses to tell is for the cases on GetCapacity to judge.
func (d *Driver) room(ctx context.Context, segment model.Segment) room {
	if !d.measured() {
		return room{}
	}
	response, err := d.Controller.GetCapacity(ctx, d.CapacityRequest(segment))
	if err != nil {
		return room{}
	}
	return roomOf(response)
}

func roomOf(response *csi.GetCapacityResponse) room {
	available, maximum := response.GetAvailableCapacity(), response.GetMaximumVolumeSize()
	if maximum == nil {
		return room{told: true, largest: available, available: available}
	}
	return room{told: true, largest: min(available, maximum.GetValue()), available: available, exact: true}
}

// roomsNow is what the driver tells of the room in each segment that the case has not filled.
func (d *Driver) roomsNow(ctx context.Context) iter.Seq2[model.Segment, room] {
	rooms, err := d.readRooms(ctx)
	if err != nil {
		verdict.CouldNotTell("the room that is left in segments could not be read: %v", err)
	}
	return func(yield func(model.Segment, room) bool) {
		for _, segment := range d.usable {
			if now, told := rooms[segment.String()]; told && !d.filled.Contains(segment) && !yield(segment, now) {
				return
			}
		}
	}
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
