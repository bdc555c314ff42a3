// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// Watched is what the driver held at one moment: its volumes, its snapshots and the available capacity of each segment,
// as far as it claims to tell.
type Watched struct {
	driver *Driver
	before state
}

// Watch remembers what the driver holds at this moment.
func (d *Driver) Watch(ctx context.Context) Watched {
	return Watched{d, d.currentState(ctx)}
}

// Changes says in sentences what differs since, once the driver has had time to settle; nothing where nothing does.
func (w Watched) Changes(ctx context.Context) []string {
	return w.driver.changedSince(ctx, w.before)
}

// Taken says in sentences what is wrong with the available capacity if so many bytes have been taken since in each
// segment of the topology, and none elsewhere. Without topology they are those of the one place that there is. Capacity
// that the profile does not call exact is not watched.
func (w Watched) Taken(ctx context.Context, bytes int64, topology []*csi.Topology) []string {
	wanted := map[string]int64{}
	for segment, room := range w.before.rooms {
		wanted[segment] = room.available
	}
	for _, segment := range w.driver.watched() {
		if _, told := wanted[segment.String()]; told && (segment == nil || within(topology, segment)) {
			wanted[segment.String()] -= bytes
		}
	}
	var problems []string
	settled := func() bool {
		problems = w.wrong(w.driver.mustState(ctx).rooms, wanted)
		return len(problems) == 0
	}
	w.driver.Settled(ctx, ShownCapacity, settled)
	return problems
}

func (w Watched) wrong(now map[string]room, wanted map[string]int64) []string {
	var found []string
	for _, segment := range w.driver.watched() {
		name := segment.String()
		if got, want, before := now[name].available, wanted[name], w.before.rooms[name].available; got != want {
			found = append(found, fmt.Sprintf("%s has %d bytes available, and had %d: %d should be taken, and %d are",
				name, got, before, before-want, before-got))
		}
		if got := now[name].available; got < 0 {
			found = append(found, fmt.Sprintf("%s has %d bytes available: that is negative (CAP-13)", name, got))
		}
	}
	return found
}

func within(topology []*csi.Topology, segment model.Segment) bool {
	for _, term := range topology {
		if segment.Matches(term.GetSegments()) {
			return true
		}
	}
	return false
}
