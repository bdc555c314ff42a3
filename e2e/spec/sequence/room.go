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
	// asksFor is the maximum number of segments in a plan.
	asksFor = 5
	// spareUnits is the room that is left in each of them, in volumes of the profile's size: little, so that segments
	// are full now and then. leastUnits is the minimum.
	spareUnits = 12
	leastUnits = 6
)

// room tracks the known room in the driver's segments.
type room struct {
	places []place
	// counted reports that available is known to the byte, and told that the largest volume is, too.
	counted, told bool
	// open reports that there may be more segments than the places.
	open bool
	// compared reports that GetCapacity is called after each step that could change it.
	compared bool
	// largest is the largest volume that any segment had room for when the sequence began.
	largest int64
}

// place is a segment, or the only place of a driver without topology.
type place struct {
	segment   model.Segment
	available int64
	// bound is the limit for the size of any volume, however much is available.
	bound int64
}

// fits returns the size of the largest volume that the place has room for.
func (p place) fits() int64 { return min(p.available, p.bound) }

// onlyPlace returns a segment that represents the only place of a driver without topology.
func onlyPlace() model.Segment { return model.Segment{"place": "the only one"} }

// withoutPlace removes the name of the only place of a driver without topology from the text: the driver does not know
// it.
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

// survey fills the segments of the plan except for a little room, if volumes may do that, and reads the remaining room. If
// the driver refuses to report it, it is unknown.
func survey(ctx context.Context, driver *harness.Driver) room {
	driver.Room.Crowded = true
	segments := driver.Segments()
	if len(segments) == 0 && !driver.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS) {
		segments = model.Set{onlyPlace()}
	}
	claimed := driver.Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY)
	r := room{counted: claimed && driver.Profile().Capacity.Exact(), compared: true, open: driver.Room.World.Open}
	r.counted = r.counted && len(segments) > 0 // if no segment is known, it is not known where the room is
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

// capacityOf returns the reported capacity of a segment: the available room, and the largest volume, which is 0 if it is not
// reported.
func capacityOf(ctx context.Context, driver *harness.Driver, segment model.Segment) (available, largest int64, err error) {
	if isOnlyPlace(segment) {
		segment = nil
	}
	response, err := driver.Controller.GetCapacity(ctx, driver.Room.Request(segment))
	return response.GetAvailableCapacity(), response.GetMaximumVolumeSize().GetValue(), err
}

// occupy makes volumes in the segment until there is room for few more. If the driver refuses one, the rest of the room
// stays.
func occupy(ctx context.Context, driver *harness.Driver, segment model.Segment) {
	const most = 16 // if the largest volume is small, the rest of the room stays, too
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

// lose records that the remaining room is not known any more.
func (r *room) lose() { r.counted, r.told = false, false }

// take records that a volume has taken the given number of bytes in each of the segments; a negative number gives them
// back.
func (r *room) take(segments model.Set, bytes int64) {
	for i := range r.places {
		if segments.Contains(r.places[i].segment) {
			r.places[i].available -= bytes
		}
	}
}

// least returns the available room in the segment that has the least.
func (r *room) least(segments model.Set) int64 {
	least := int64(math.MaxInt64)
	for _, p := range r.places {
		if segments.Contains(p.segment) {
			least = min(least, p.available)
		}
	}
	return least
}

// largestIn returns the size limit for volumes in the segments.
func (r *room) largestIn(segments model.Set) int64 {
	least := int64(math.MaxInt64)
	for _, p := range r.places {
		if segments.Contains(p.segment) {
			least = min(least, p.bound)
		}
	}
	return least
}

// segments returns the segments with a known room.
func (r *room) segments() model.Set {
	var all model.Set
	for _, p := range r.places {
		all = append(all, p.segment)
	}
	return all
}

// knowledge says how much is known about the largest volume that a place has room for.
type knowledge int

const (
	nothing knowledge = iota
	// bounded reports that it is not larger than the available room, and exact that it is known to the byte.
	bounded
	exact
)

// known returns the knowledge of the room for a volume with that answer. If the largest volume is not reported, the
// available room still shows which refusal is right.
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

// world returns the room in the terms of the oracle, for a kind of volume that exists in the segments for which exists
// returns true.
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
