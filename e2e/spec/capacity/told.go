// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// capacityWhereCreated creates volumes in a segment for which the driver reports a capacity of 0. That is a valid
// value if there is no room, and also the value of a field that was never set: others may take and return room once
// between two answers, but not each time.
func capacityWhereCreated() harness.Case {
	const rounds = 3
	return harness.Case{
		ID:           "capacity_where_created",
		Text:         "returns more than 0 where it creates volumes",
		Requirements: []string{"CAP-12"},
		Needs:        harness.Needs(harness.Volumes(1), harness.TrackedCapacity()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := driver.Room.Request(driver.Z2)
			tells := func() bool { return mustGet(ctx, driver, request).GetAvailableCapacity() > 0 }
			for range rounds {
				if tells() {
					return
				}
				volume := driver.NeedVolume(ctx, volumeIn(driver, 1, driver.Z2))
				if tells() {
					return
				}
				deletion.Need(ctx, driver, volume)
				if driver.Settled(ctx, effect.AnyRoom, tells) {
					return
				}
			}
			const text = "%s\nanswered available_capacity 0 before and after %d volumes of %d bytes were created there, one after another, and while they existed: a scheduler that goes by it creates no volume there"
			suite.Must("CAP-12", toldAny(driver), text+"\nThe field is REQUIRED, and the run has seen no other value of it, in any segment", describeRequest(request), rounds, driver.Size())
			suite.Warn(ctx, "CAP-12", text, describeRequest(request), rounds, driver.Size())
		},
	}
}

// toldAny reports whether the driver has reported any room during the run. A figure may be hours old, but a driver that
// never sets it has never reported one.
func toldAny(driver *harness.Driver) bool {
	return slices.ContainsFunc(driver.Room.Watched(), func(segment model.Segment) bool { return driver.Room.InRun.Most(segment).Available > 0 })
}
