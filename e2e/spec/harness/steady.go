// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
)

// isUnsteady reports whether GetCapacity answers differently when it is asked again, though nothing has changed and the
// profile calls it exact. One case judges that; the others treat capacity as at-least, because each of them would take
// it for a change.
func isUnsteady(ctx context.Context, d *Driver) bool {
	if !d.Room.Measured() || !d.Profile().Capacity.Exact() {
		return false
	}
	segment := d.Room.Watched()[0]
	return !d.Settled(ctx, effect.Steadiness, func() bool {
		first, second := d.Room.In(ctx, segment), d.Room.In(ctx, segment)
		return first == second
	})
}

// takeForAtLeast makes the case treat capacity as at-least.
func (d *Driver) takeForAtLeast() {
	d.Room.Profile.Capacity, d.Held.Profile.Capacity = profile.AtLeast, profile.AtLeast
}
