// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// answers returns the cases about the answer of GetCapacity itself.
func answers() []harness.Case {
	return []harness.Case{capacityAnswers(), capacityOfEverything(), capacityNeverNegative(), capacityAskedAgain(), capacityWhereCreated(), capacityKeepsUp()}
}

// capacityAnswers asks as Kubernetes does: for volumes of a StorageClass in a segment.
func capacityAnswers() harness.Case {
	return harness.Case{
		ID:           "capacity_answers",
		Text:         "returns the capacity of every segment if it claims GET_CAPACITY",
		Requirements: []string{"CAP-01", "CAP-12", "CAP-13", "CAP-17", "CAP-23", "CAP-26"},
		Needs:        claimed(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			suite.Each(orNil(driver.Segments()), func(segment model.Segment) {
				expectAnswer(ctx, driver, driver.Room.Request(segment))
			})
		},
	}
}

// capacityOfEverything leaves out every field, because all are OPTIONAL. A driver may need parameters nevertheless, as
// CreateVolume may.
func capacityOfEverything() harness.Case {
	return harness.Case{
		ID:           "capacity_of_everything",
		Text:         "accepts a request without any field",
		Requirements: []string{"CAP-03", "CAP-05", "CAP-09", "CAP-13"},
		Needs:        claimed(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := &csi.GetCapacityRequest{}
			told, err := driver.Controller.GetCapacity(ctx, request)
			if err != nil {
				harness.ExpectRefused(ctx, "CAP-26", err, "GetCapacity without any field failed")
				suite.WarnAbout(ctx, []string{"CAP-03", "CAP-05", "CAP-09"}, "volume_capabilities, parameters and accessible_topology are OPTIONAL, and GetCapacity without them failed\ngot: %s", describe.Status(err))
				return
			}
			expectNotNegative(request, told)
		},
	}
}

// capacityNeverNegative requests each segment and each kind of volume, with and without a capability.
func capacityNeverNegative() harness.Case {
	return harness.Case{
		ID:           "capacity_never_negative",
		Text:         "returns no negative size for any segment, kind of volume or capability",
		Requirements: []string{"CAP-13", "CAP-16", "CAP-17", "CAP-22", "CAP-23"},
		Needs:        claimed(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			for _, segment := range everywhere(driver) {
				for _, x := range kinds(driver) {
					plain, capable := requestFor(driver, x, segment), requestFor(driver, x, segment)
					plain.VolumeCapabilities = nil
					for _, request := range []*csi.GetCapacityRequest{plain, capable} {
						expectNotNegative(request, mustGet(ctx, driver, request))
					}
				}
			}
		},
	}
}

// capacityAskedAgain asks twice while nothing happens. A figure that is still settling may differ once.
func capacityAskedAgain() harness.Case {
	return harness.Case{
		ID:           "capacity_asked_again",
		Text:         "returns the same capacity when asked again",
		Requirements: []string{"CAP-11", "CAP-12"},
		Needs:        harness.CalledExact(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			suite.Each(everywhere(driver), func(segment model.Segment) {
				request := driver.Room.Request(segment)
				var first, again *csi.GetCapacityResponse
				same := driver.Settled(ctx, effect.Capacity, func() bool {
					first, again = mustGet(ctx, driver, request), mustGet(ctx, driver, request)
					return proto.Equal(first, again)
				})
				suite.Must("CAP-12", same, "%s\nanswered available_capacity %d and then %d, while nothing was created or deleted", describeRequest(request), first.GetAvailableCapacity(), again.GetAvailableCapacity())
			})
		},
	}
}

// segments returns the cases about accessible_topology.
func segments() []harness.Case {
	return []harness.Case{capacityOfUnknownSegment(), capacityWithoutTopology()}
}

// capacityOfUnknownSegment requests topologies that no node reports, so that no volume can be there.
func capacityOfUnknownSegment() harness.Case {
	return harness.Case{
		ID:           "capacity_of_unknown_segment",
		Text:         "returns no capacity for a topology that no node reports",
		Requirements: []string{"CAP-07", "CAP-26", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Segments(1), harness.TrackedCapacity()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			suite.Each(model.Set{harness.Nowhere(driver.Z2), {"csi-topo.example/place": "nowhere"}}, func(unknown model.Segment) {
				expectNone(ctx, "CAP-07", true, driver, driver.Room.Request(unknown), "no node reports that topology")
			})
		},
	}
}

// capacityWithoutTopology compares the whole with each segment. The specification does not say whether the whole is a sum,
// or the room for one volume; less than the room of one segment would hide room.
func capacityWithoutTopology() harness.Case {
	return harness.Case{
		ID:           "capacity_without_topology",
		Text:         "should return no less without accessible_topology than for one segment",
		Requirements: []string{"CAP-09", "CAP-13"},
		Needs:        harness.Needs(harness.Segments(1), harness.TrackedCapacity()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := driver.Room.Request(nil)
			told, err := driver.Controller.GetCapacity(ctx, request)
			if err != nil {
				harness.ExpectRefused(ctx, "CAP-26", err, "GetCapacity without accessible_topology failed")
				suite.Warn(ctx, "CAP-09", "accessible_topology is OPTIONAL, and GetCapacity without it failed\ngot: %s", describe.Status(err))
				return
			}
			expectNotNegative(request, told)
			for _, segment := range driver.Sample() {
				one := available(ctx, driver, segment)
				suite.Should(ctx, "CAP-09", one <= told.GetAvailableCapacity(), "GetCapacity without accessible_topology answered %d bytes, and %d for %s alone", told.GetAvailableCapacity(), one, segment)
			}
		},
	}
}
