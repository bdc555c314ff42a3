// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/room"
)

// whyInexact explains why capacity is not exact, although the profile says so, and returns "" if it may be. The cases then
// treat capacity as at-least: otherwise, each of them would report a fault that the specification allows.
func whyInexact(ctx context.Context, target *Target, health *health.Health, c *claims) string {
	d := connect(target, health, "capacity")
	d.know(c)
	if !d.Room.Measured() || !d.Profile().Capacity.Exact() {
		return ""
	}
	ctx = attempt.Tolerant(ctx)
	if !isSteady(ctx, d) {
		return "GetCapacity answers differently when it is called again: see the case capacity_asked_again"
	}
	why := whyMiscounted(ctx, d)
	d.removeOrLeave(ctx)
	return why
}

// isSteady reports whether GetCapacity answers the same when it is asked again.
func isSteady(ctx context.Context, d *Driver) bool {
	segment := d.Room.Watched()[0]
	return d.Settled(ctx, effect.Steadiness, func() bool {
		first, second := d.Room.In(ctx, segment), d.Room.In(ctx, segment)
		return first == second
	})
}

// whyMiscounted creates a volume, and compares its size with the capacity that it takes. A driver may allocate in units that
// capacity_bytes does not show, and its segments may share a pool; it must still know which topologies exist. The cases
// judge everything else.
func whyMiscounted(ctx context.Context, d *Driver) string {
	if !d.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME) {
		return ""
	}
	before := d.rooms(ctx)
	for _, there := range before {
		if !there.Told {
			return "" // which other cases judge
		}
	}
	response, err := d.Controller.CreateVolume(ctx, d.CreateVolumeRequest(d.Volume(1).OfBytes(d.Size()+1)))
	if err != nil {
		return "" // the cases judge whether it may be refused
	}
	volume := response.GetVolume()
	own, others := d.segmentsOf(volume)
	var after map[string]room.Space
	took := func(segment model.Segment) int64 {
		return before[segment.String()].Available - after[segment.String()].Available
	}
	d.Settled(ctx, effect.Capacity, func() bool {
		after = d.rooms(ctx)
		return !slices.ContainsFunc(own, func(segment model.Segment) bool { return took(segment) == 0 })
	})
	if len(own) == 0 {
		return ""
	}
	bytes, taken := volume.GetCapacityBytes(), took(own[0])
	const says = "a volume with capacity_bytes %d takes %d bytes of %s"
	if bytes < taken && taken < 2*bytes {
		return fmt.Sprintf(says, bytes, taken, own[0])
	}
	shared := func(segment model.Segment) bool { return took(segment) == taken }
	if taken >= bytes && len(others) > 0 && !slices.ContainsFunc(others, func(s model.Segment) bool { return !shared(s) }) &&
		d.Room.In(ctx, Nowhere(own[0])).Available == 0 {
		return fmt.Sprintf(says+", and as many of every other segment, as in a pool that they share", bytes, taken, own[0])
	}
	return ""
}

// rooms reads the room of one watched segment after another.
func (d *Driver) rooms(ctx context.Context) map[string]room.Space {
	rooms := map[string]room.Space{}
	for _, segment := range d.Room.Watched() {
		rooms[segment.String()] = d.Room.In(ctx, segment)
	}
	return rooms
}

// segmentsOf returns the watched segments that the volume is accessible from, and the others.
func (d *Driver) segmentsOf(volume *csi.Volume) (own, others model.Set) {
	in := volume.GetAccessibleTopology()
	for _, segment := range d.Room.Watched() {
		if segment == nil || len(in) == 0 || messages.Within(in, segment) {
			own = append(own, segment)
		} else {
			others = append(others, segment)
		}
	}
	return own, others
}

// takeForAtLeast makes the case treat capacity as at-least.
func (d *Driver) takeForAtLeast() {
	d.Room.Profile.Capacity, d.Held.Profile.Capacity = profile.AtLeast, profile.AtLeast
}

// Nowhere returns a topology with the keys of the segment that no node reports.
func Nowhere(segment model.Segment) model.Segment {
	nowhere := maps.Clone(segment)
	for key := range nowhere {
		nowhere[key] = "csi-topo-nowhere"
	}
	return nowhere
}
