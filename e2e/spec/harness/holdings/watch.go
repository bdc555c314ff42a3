// SPDX-License-Identifier: Apache-2.0

package holdings

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/room"
)

// Watched holds the driver's volumes, snapshots and available capacity of each segment at one moment, as far as it claims to
// report them.
type Watched struct {
	reader *Reader
	before State
}

// Watch records the current volumes, snapshots and capacity.
func (r *Reader) Watch(ctx context.Context) Watched {
	return Watched{r, r.current(ctx)}
}

// Changes describes in sentences what differs since then, once the driver has had time to settle. It is empty if
// nothing differs.
func (w Watched) Changes(ctx context.Context) []string {
	return w.reader.changedSince(ctx, w.before)
}

// Taken describes in sentences how the available capacity differs from the expected one: the given number of bytes has been
// taken since then in each segment of the topology, and none elsewhere. Without topology, the bytes are taken from the
// driver as a whole. Capacity that the profile does not call exact is not watched.
func (w Watched) Taken(ctx context.Context, bytes int64, topology []*csi.Topology) []string {
	wanted := map[string]int64{}
	for segment, there := range w.before.Rooms {
		wanted[segment] = there.Available
	}
	for _, segment := range w.reader.Rooms.Watched() {
		if _, told := wanted[segment.String()]; told && (segment == nil || messages.Within(topology, segment)) {
			wanted[segment.String()] -= bytes
		}
	}
	var problems []string
	settled := func() bool {
		problems = w.wrong(w.reader.must(ctx).Rooms, wanted)
		return len(problems) == 0
	}
	w.reader.Patience.Settled(ctx, w.reader.Settle, effect.Capacity, settled)
	return problems
}

func (w Watched) wrong(now map[string]room.Space, wanted map[string]int64) []string {
	var found []string
	for _, segment := range w.reader.Rooms.Watched() {
		name := segment.String()
		if got, want, before := now[name].Available, wanted[name], w.before.Rooms[name].Available; got != want {
			found = append(found, fmt.Sprintf("%s has %d bytes available, and had %d: %d should be taken, and %d are",
				name, got, before, before-want, before-got))
		}
		if got := now[name].Available; got < 0 {
			found = append(found, fmt.Sprintf("%s has %d bytes available: that is negative (CAP-13)", name, got))
		}
	}
	return found
}

// Blind reports whether the driver reported nothing that could differ.
func (w Watched) Blind() bool {
	return w.before.Volumes == nil && w.before.Rooms == nil
}

// Changes calls do and describes in sentences what differs afterwards in the driver's volumes, snapshots and capacity.
// It waits until nothing differs, for as long as capacity may take to settle, to show that do changes nothing.
func (r *Reader) Changes(ctx context.Context, do func()) []string {
	before := r.Watch(ctx)
	do()
	return before.Changes(ctx)
}
