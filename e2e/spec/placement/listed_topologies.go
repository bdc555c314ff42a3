// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"context"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/fill"
)

// listedTopologies returns the cases about the order of the lists, and about topologies that they name twice.
func listedTopologies() []harness.Case {
	return casesOf([]question{
		{
			id: "requisite_every_segment", text: "creates a volume in any topology that is asked for, as in Z2 in T-EQ-1",
			verifies: "CV-18 TR-01 TR-04 TR-07 VOL-19",
			needs:    harness.Needs(harness.Segments(2), harness.Shows(4)),
			asked: func(driver *harness.Driver) (all []model.Request) {
				for _, zone := range driver.Zones(4)[1:] {
					all = append(all, driver.Volume(1).Within(zone))
				}
				return all
			},
		},
		{
			// The specification leaves open how a repetition counts, but not where the volume goes. A refusal is a warning.
			id: "requisite_repeated", text: "creates a volume in Z3 when requisite names it twice",
			verifies: "TR-01 TR-04 TR-07",
			needs:    harness.Segments(2),
			asked: func(driver *harness.Driver) []model.Request {
				return []model.Request{driver.Volume(1).Within(driver.Z3, driver.Z3)}
			},
		},
		{
			// A driver that counts both entries has no two unique ones to choose from, and may refuse.
			id: "requisite_repeated_two_topologies", text: "creates a volume in Z3 and one other when requisite names Z3 twice",
			verifies: "TR-11 TR-15 TR-16",
			needs:    harness.Needs(harness.Segments(2), harness.AccessibleFrom(2)),
			asked: func(driver *harness.Driver) []model.Request {
				return []model.Request{driver.Volume(2).Within(driver.Z3, driver.Z3)}
			},
		},
		{
			// Kubernetes sends the same topologies in both lists, preferred in another order. The order is from last to
			// first, so that a driver that balances and ignores preferred does not pass by chance.
			id: "preferred_rotated", text: "uses the first of preferred when it has all of requisite, whichever that is",
			verifies: "PF-03 PF-04",
			needs:    harness.Needs(harness.Segments(2), harness.Shows(4)),
			asked: func(driver *harness.Driver) (all []model.Request) {
				zones := driver.Zones(4)
				for i := range slices.Backward(zones) {
					all = append(all, driver.Volume(1).Within(zones...).Preferring(slices.Concat(zones[i:], zones[:i])...))
				}
				return all
			},
		},
		{
			// A refusal is a warning.
			id: "preferred_repeated", text: "uses the first of preferred when it is named twice",
			verifies: "PF-03",
			needs:    harness.Needs(harness.Segments(2), harness.Shows(4)),
			asked: func(driver *harness.Driver) []model.Request {
				zones := driver.Zones(4)
				last := zones[len(zones)-1]
				return []model.Request{driver.Volume(1).Within(zones...).Preferring(last, last, driver.Z2)}
			},
		},
		{
			id: "preferred_repeated_two_topologies", text: "uses the first two unique topologies of preferred when the first is named twice",
			verifies: "PF-03 TR-11",
			needs:    harness.Needs(harness.Segments(3), harness.Shows(4), harness.AccessibleFrom(2)),
			asked: func(driver *harness.Driver) []model.Request {
				zones := driver.Zones(4)
				last := zones[len(zones)-1]
				return []model.Request{driver.Volume(2).Within(zones...).Preferring(last, last, driver.Z3)}
			},
		},
		{
			// If preferred has fewer topologies than the volume needs, requisite still limits the others: one request lacks
			// the first segment, and one the last.
			id: "preferred_three_two_topologies", text: "uses the first two of three topologies in preferred, and the only one in preferred with another of requisite",
			verifies: "PF-03 PF-05 TR-11",
			needs:    harness.Needs(harness.Segments(3), harness.Shows(4), harness.AccessibleFrom(2)),
			asked: func(driver *harness.Driver) []model.Request {
				zones := driver.Zones(4)
				last := zones[len(zones)-1]
				asked := []model.Request{driver.Volume(2).Within(zones...).Preferring(last, driver.Z3, driver.Z2)}
				for _, requisite := range []model.Set{zones[1:], zones[:len(zones)-1]} {
					asked = append(asked, driver.Volume(2).Within(requisite...).Preferring(requisite[len(requisite)/2]))
				}
				return asked
			},
		},
	})
}

// lastWithRoom returns the cases about lists in which only some topologies have room.
func lastWithRoom() []harness.Case {
	return []harness.Case{{
		ID:           "requisite_order",
		Text:         "creates a volume in the only topology with room, wherever requisite names it",
		Requirements: []string{"TR-01", "TR-11"},
		Needs:        harness.Needs(harness.Segments(2), harness.Shows(3), harness.Volumes(volumesEach), harness.Exhaustion()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			zones := driver.Zones(3)
			fill.Segments(ctx, driver, zones[:len(zones)-1]...)
			for i := range zones {
				ask(ctx, driver, driver.Volume(1).Within(slices.Concat(zones[i:], zones[:i])...))
			}
		},
	}, {
		// Preferred does not extend requisite: the request is invalid, and impossible as well.
		ID:           "preferred_outside_full_requisite",
		Text:         "never uses Z3, preferred but not in requisite, even when Z2 is full",
		Requirements: []string{"TR-04", "TR-08", "PF-04", "PF-07", "GEN-12", "GEN-15", "GEN-16", "CV-07"},
		Needs:        harness.Needs(harness.Segments(2), harness.Volumes(volumesEach), harness.Exhaustion()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			fill.Segments(ctx, driver, driver.Z2)
			ask(ctx, driver, driver.Volume(1).Within(driver.Z2).Preferring(driver.Z3))
		},
	}}
}
