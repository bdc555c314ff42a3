// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"math"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/fill"
)

const (
	// asksFor is how many segments a plan asks for, at most.
	asksFor = 5
	// spareUnits is the room that is left in each of them, in volumes of the profile's size: little, so that segments are
	// full now and then. leastUnits is how much there must be.
	spareUnits = 12
	leastUnits = 6
)

// room is what a sequence knows of the room in the driver's segments.
type room struct {
	places []place
	// counted says that available is known to the byte, and told that the largest volume is, too.
	counted, told bool
	// open says that there may be more segments than the places.
	open bool
	// compared says that GetCapacity is asked after each step that could change it.
	compared bool
	// largest is the largest volume that there was room for in any segment when the sequence began.
	largest int64
}

// place is a segment, or the only place of a driver without topology.
type place struct {
	segment   model.Segment
	available int64
	// bound is the size that no volume may be larger than, however much is available.
	bound int64
}

// fits is the size of the largest volume that the place has room for.
func (p place) fits() int64 { return min(p.available, p.bound) }

// onlyPlace stands for where the volumes of a driver without topology are.
func onlyPlace() model.Segment { return model.Segment{"place": "the only one"} }

// withoutPlace is the text without the place that stands for where the volumes of a driver without topology are, of which the
// driver knows nothing.
func withoutPlace(text string) string {
	return strings.NewReplacer(
		", accessible from {place=the only one}", "",
		", and accessible from {place=the only one}", "",
		" and is accessible from {place=the only one}", "",
		"the volume is accessible from {place=the only one}, and the node is in ", "the driver has no topology",
		" in place=the only one", "",
		"{place=the only one}", "a volume",
		"place=the only one", "in all",
	).Replace(text)
}

func isOnlyPlace(segment model.Segment) bool { return segment.Equal(onlyPlace()) }

// survey takes most of the room of the segments that are asked for, where volumes may do that, and asks for the rest.
// What the driver refuses to tell is not known.
func survey(ctx context.Context, driver *harness.Driver) room {
	driver.Room.Crowded = true
	segments := driver.Segments()
	if len(segments) == 0 && !driver.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS) {
		segments = model.Set{onlyPlace()}
	}
	claimed := driver.Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY)
	r := room{counted: claimed && driver.Profile().Capacity.Exact(), compared: true, open: driver.Room.World.Open}
	r.counted = r.counted && len(segments) > 0 // where no segment is known, nobody can say where the room is
	r.told = r.counted
	for i, segment := range segments {
		p := place{segment, math.MaxInt64, math.MaxInt64}
		if r.counted && i < asksFor && fill.ByVolumes(driver) {
			occupy(ctx, driver, segment)
		}
		if r.counted {
			available, largest, err := capacityOf(ctx, driver, segment)
			if p.available = available; largest > 0 && largest < available {
				p.bound = largest
			}
			r.counted = err == nil
			r.told = r.told && err == nil && (largest > 0 || available == 0)
		}
		r.largest = max(r.largest, p.fits())
		r.places = append(r.places, p)
	}
	return r
}

// capacityOf is what the driver tells of a segment: what is available, and the largest volume, 0 when that is not told.
func capacityOf(ctx context.Context, driver *harness.Driver, segment model.Segment) (available, largest int64, err error) {
	if isOnlyPlace(segment) {
		segment = nil
	}
	response, err := driver.Controller.GetCapacity(ctx, driver.Room.Request(segment))
	return response.GetAvailableCapacity(), response.GetMaximumVolumeSize().GetValue(), err
}

// occupy makes volumes in the segment until there is room for few more. A driver that refuses one keeps its room.
func occupy(ctx context.Context, driver *harness.Driver, segment model.Segment) {
	const most = 16 // a driver whose largest volume is small keeps its room, too
	for range most {
		available, largest, err := capacityOf(ctx, driver, segment)
		bytes := available - spareUnits*driver.Size()
		if largest > 0 {
			bytes = min(bytes, largest)
		}
		if err != nil || bytes < driver.Size() {
			return
		}
		asked := driver.Volume(1).OfBytes(bytes)
		if !isOnlyPlace(segment) {
			asked = asked.Within(segment)
		}
		if _, err := driver.Controller.CreateVolume(ctx, driver.CreateVolumeRequest(asked)); err != nil {
			return
		}
	}
}

// lose notes that nobody can say any more what is left.
func (r *room) lose() { r.counted, r.told = false, false }

// take notes that a volume has taken so many bytes more, in each of the segments; less than none gives them back.
func (r *room) take(segments model.Set, bytes int64) {
	for i := range r.places {
		if segments.Contains(r.places[i].segment) {
			r.places[i].available -= bytes
		}
	}
}

// least is what is available in that of the segments which has the least.
func (r *room) least(segments model.Set) int64 {
	least := int64(math.MaxInt64)
	for _, p := range r.places {
		if segments.Contains(p.segment) {
			least = min(least, p.available)
		}
	}
	return least
}

// largestIn is the size that no volume in the segments may be larger than.
func (r *room) largestIn(segments model.Set) int64 {
	least := int64(math.MaxInt64)
	for _, p := range r.places {
		if segments.Contains(p.segment) {
			least = min(least, p.bound)
		}
	}
	return least
}

// segments are those that there is room in.
func (r *room) segments() model.Set {
	var all model.Set
	for _, p := range r.places {
		all = append(all, p.segment)
	}
	return all
}

// knowledge is what is known of the largest volume that a place has room for.
type knowledge int

const (
	nothing knowledge = iota
	// bounded says that it is not larger than what is available, and exact that it is known to the byte.
	bounded
	exact
)

// known is what is known of the room for a volume that was answered so. Where the largest volume is not told, what is
// available still says which refusal is right.
func (r *room) known(err error) knowledge {
	switch {
	case r.told:
		return exact
	case r.counted && err != nil:
		return bounded
	default:
		return nothing
	}
}

// world is the room as the oracle has it, for a kind of volume that exists in the segments of which exists says so.
func (r *room) world(known knowledge, exists func(model.Segment) bool) model.World {
	w := model.World{Open: r.open}
	for _, p := range r.places {
		there := model.Room{}
		switch {
		case !exists(p.segment):
			there = model.Exactly(0)
		case known == exact:
			there = model.Exactly(p.fits())
		case known == bounded:
			there = model.NoneFor(p.available + 1)
		}
		w.Places = append(w.Places, model.Place{Segment: p.segment, Room: there})
	}
	return w
}

// knows reports whether each of the segments is one of the places.
func (r *room) knows(segments model.Set) bool {
	known := r.segments()
	for _, segment := range segments {
		if !known.Contains(segment) {
			return false
		}
	}
	return len(segments) > 0
}
