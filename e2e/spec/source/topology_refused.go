// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// snapshotOutOfReach requests a snapshot away from its volume. A driver may copy the snapshot there.
func snapshotOutOfReach() harness.Case {
	return harness.Case{
		ID:           "snapshot_out_of_reach",
		Text:         "returns RESOURCE_EXHAUSTED for a snapshot in Z3 of a volume in Z2, or makes the snapshot usable in Z3",
		Requirements: []string{"CS-05", "CS-17", "CS-19", "GEN-15", "GEN-16"},
		Needs:        needsTopology(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1).Within(driver.Z2))

			expectThere(ctx, driver, volume, driver.Z3, "CS-19", "accessibility_requirements is valid, and the snapshot cannot be there", codes.ResourceExhausted)
		},
	}
}

// expectThere requests a snapshot in the segment. It must be usable there, or the request must be refused with one of the
// codes.
func expectThere(ctx context.Context, driver *harness.Driver, volume *csi.Volume, segment model.Segment, clause, why string, refusals ...codes.Code) {
	request := snapshots.CreateRequest(driver, volume)
	request.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: messages.Topologies(model.Set{segment})}
	response, err := driver.Controller.CreateSnapshot(attempt.Once(ctx, refusals...), request)
	if err != nil {
		harness.ExpectRefused(ctx, clause, err, why, refusals...)
		shouldLeaveNothing(ctx, driver, volume)
		return
	}
	expectUsable(ctx, driver, request, waitReady(ctx, driver, request, response.GetSnapshot()), model.Set{segment}, nil)
}

// snapshotUnknownTopology requests a topology that no node reports, which is a mistake of the CO. A snapshot that is
// usable elsewhere does not satisfy the request.
func snapshotUnknownTopology() harness.Case {
	return harness.Case{
		ID:           "snapshot_unknown_topology",
		Text:         "returns INVALID_ARGUMENT or RESOURCE_EXHAUSTED for a snapshot in a topology that no node reports",
		Requirements: []string{"CS-05", "CS-17", "CS-19", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        needsTopology(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			nowhere := harness.Nowhere(driver.Z2)
			volume := driver.NeedVolume(ctx, driver.Volume(1).Within(driver.Z2))
			request := snapshots.CreateRequest(driver, volume)
			request.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: messages.Topologies(model.Set{nowhere})}

			response, err := driver.Controller.CreateSnapshot(ctx, request)

			if err != nil {
				harness.ExpectRefused(ctx, "GEN-12", err, "no node reports the topology: it is unsupported (GEN-12), or no snapshot can be there (CS-19)", codes.InvalidArgument, codes.ResourceExhausted)
				shouldLeaveNothing(ctx, driver, volume)
				return
			}
			snapshot := response.GetSnapshot()
			suite.Must("CS-05", usableFrom(snapshot, nowhere), "a snapshot is usable from accessibility_requirements\nrequested: %s\ngot: accessible_topology is %s", nowhere, messages.Segments(snapshot.GetAccessibleTopology()))
			suite.Warn(ctx, "GEN-12", "no node reports %s, and a snapshot was taken that is said to be usable from there: that hides a mistake of the CO", nowhere)
		},
	}
}

// snapshotEmptyRequirement sends a TopologyRequirement that names nothing, which is a mistake of the CO.
func snapshotEmptyRequirement() harness.Case {
	return harness.Case{
		ID:           "snapshot_empty_requirement",
		Text:         "returns INVALID_ARGUMENT for empty accessibility_requirements, or ignores them",
		Requirements: []string{"CS-08", "CS-10", "TR-03", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        needsTopology(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := snapshots.CreateRequest(driver, driver.NeedVolume(ctx, driver.Volume(1)))
			request.AccessibilityRequirements = &csi.TopologyRequirement{}

			_, err := driver.Controller.CreateSnapshot(ctx, request)

			skipWithoutSpace(err)
			const why = "a TopologyRequirement has requisite, preferred or both (TR-03), and one with neither is an invalid field or is ignored"
			harness.ExpectOKOrRefused(ctx, "GEN-12", err, why, codes.InvalidArgument)
		},
	}
}

// snapshotTopologyAgain checks that a request for a name returns its snapshot if that is usable from the requested
// topology. Otherwise it fails, unless the snapshot becomes usable from there too.
func snapshotTopologyAgain() harness.Case {
	return harness.Case{
		ID:           "snapshot_topology_again",
		Text:         "returns the same snapshot for a repeated request for Z2, and refuses its name for Z3",
		Requirements: []string{"CS-03", "CS-04", "CS-05", "CS-17", "GEN-09", "GEN-15", "GEN-16"},
		Needs:        needsTopology(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := snapshots.CreateRequest(driver, driver.NeedVolume(ctx, driver.Volume(1).Within(driver.Z2)))
			request.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: messages.Topologies(model.Set{driver.Z2})}
			first := mustTake(ctx, driver, request)

			again, err := driver.Controller.CreateSnapshot(ctx, request)
			harness.ExpectOK("CS-04", err, "the snapshot is usable from accessibility_requirements, and is returned")
			expectSame(driver, again.GetSnapshot(), first)

			request.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: messages.Topologies(model.Set{driver.Z3})}
			other, err := driver.Controller.CreateSnapshot(ctx, request)
			if err != nil {
				harness.ExpectRefused(ctx, "CS-17", err, "the snapshot of that name is not usable from accessibility_requirements")
				return
			}
			id := other.GetSnapshot().GetSnapshotId()
			suite.Should(ctx, "CS-03", id == first.GetSnapshotId(), "a name stands for one snapshot, and now there are two of that name: %s in Z2 and %s in Z3", first.GetSnapshotId(), id)
			expectUsable(ctx, driver, request, waitReady(ctx, driver, request, other.GetSnapshot()), model.Set{driver.Z3}, nil)
		},
	}
}
