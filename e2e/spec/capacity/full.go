// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/fill"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// full returns the cases about segments that are full.
func full() []harness.Case {
	return []harness.Case{capacityOfFullSegment(), capacityForTwoSegmentsNeedsBoth(), capacityAfterGrowthToTheLimit()}
}

// capacityOfFullSegment fills a segment: its capacity is then 0, or too little for a volume. An error would leave a
// scheduler with the previous figure.
func capacityOfFullSegment() harness.Case {
	return harness.Case{
		ID:           "capacity_of_full_segment",
		Text:         "returns 0, or too little for a volume, once a segment is full",
		Requirements: []string{"CAP-11", "CAP-12", "CAP-13", "CAP-14", "CAP-18", "CAP-26"},
		Needs:        harness.Needs(harness.Segments(1), harness.Volumes(1), harness.TrackedCapacity(), harness.Exhaustion()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			fill.Segments(ctx, driver, driver.Z2)

			expectTooLittle(ctx, driver, driver.Room.Request(driver.Z2), driver.Size(), driver.Z2.String()+" is full")
		},
	}
}

// capacityForTwoSegmentsNeedsBoth fills every known segment but one: there is no room for a volume of two topologies, and as
// much as before for a volume of one, unless the segments share their room.
func capacityForTwoSegmentsNeedsBoth() harness.Case {
	return harness.Case{
		ID:           "capacity_for_two_segments_needs_both",
		Text:         "returns no capacity for volumes of two segments if all segments but one are full",
		Requirements: []string{"CAP-04", "CAP-07", "CAP-11", "CAP-12", "CAP-14", "CAP-15"},
		Needs:        harness.Needs(harness.Segments(2), harness.Volumes(4), harness.TrackedCapacity(), harness.Exhaustion(), harness.AccessibleFrom(2)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			forTwo, forOne := requestFor(driver, 2, driver.Z2), requestFor(driver, 1, driver.Z2)
			fill.Segments(ctx, driver, driver.Segments()[1:]...)

			told := mustGet(ctx, driver, forOne)
			if answer := creation.Create(ctx, driver, volumeIn(driver, 1, driver.Z2)); answer.Code == codes.OK {
				expectRoom(ctx, "CAP-04", driver, forOne, told, driver.Size())
			}
			if answer := creation.Create(ctx, driver, driver.Volume(2)); answer.Code == codes.OK {
				return
			}
			if mayHaveRoomElsewhere(ctx, driver) {
				suite.Reduced(ctx, "the capacity for volumes of two segments was not judged: there may be room in segments that no given node reports")
				return
			}
			expectNoneForTwo(ctx, driver, forTwo, forOne)
		},
	}
}

// mayHaveRoomElsewhere reports whether segments that no given node reports may have room for a volume of two topologies. A
// driver may choose any segment for a request without a requirement.
func mayHaveRoomElsewhere(ctx context.Context, driver *harness.Driver) bool {
	if !driver.Room.World.Open {
		return false
	}
	asked := driver.Taken(driver.Volume(2))
	return !asked.Free() || creation.CreateExactly(ctx, driver, asked).Code != codes.ResourceExhausted
}

// expectNoneForTwo judges the answer for volumes of two topologies if only one segment has room. Only capacity that the profile
// calls exact can fail the case, and only if all segments are known.
func expectNoneForTwo(ctx context.Context, driver *harness.Driver, forTwo, forOne *csi.GetCapacityRequest) {
	if !driver.Profile().Capacity.Exact() || driver.Room.World.Open {
		expectTooLittle(ctx, driver, forTwo, driver.Size(), "no other segment has room")
		return
	}
	told := expectAnswer(ctx, driver, forTwo)
	suite.Must("CAP-04", largest(told) < driver.Size(), "%s\nanswered room for volumes of %d bytes; no segment but %s has room, and with these parameters a volume needs two", describeRequest(forTwo), largest(told), driver.Z2)
	if isStatic(told) {
		warnOfStatic(ctx, forTwo, told)
		expectNotOfOne(ctx, driver, forTwo, forOne)
	}
}

// expectNotOfOne fails the case if the maximum for a volume of two topologies is the room of one. It judges only a
// driver whose maximum for one topology follows the room.
func expectNotOfOne(ctx context.Context, driver *harness.Driver, forTwo, forOne *csi.GetCapacityRequest) {
	before := mustGet(ctx, driver, forOne).GetMaximumVolumeSize()
	leaveRoom(ctx, driver)
	one, two := mustGet(ctx, driver, forOne).GetMaximumVolumeSize(), mustGet(ctx, driver, forTwo).GetMaximumVolumeSize()
	follows := one != nil && one.GetValue() < before.GetValue()
	suite.Must("CAP-14", !follows || two.GetValue() < driver.Size(), "%s\nanswered maximum_volume_size %d; no segment but %s has room, and with these parameters a volume needs two. For volumes of one topology the maximum follows the room there, and is %d",
		describeRequest(forTwo), two.GetValue(), driver.Z2, one.GetValue())
}

// capacityAfterGrowthToTheLimit grows a volume into all the remaining room, and beyond it. It does not judge whether a
// driver lets a volume grow beyond it.
func capacityAfterGrowthToTheLimit() harness.Case {
	return harness.Case{
		ID:           "capacity_after_growth_to_the_limit",
		Text:         "returns no negative capacity after a volume has grown to all the room, and beyond",
		Requirements: []string{"CAP-11", "CAP-12", "CAP-13", "CAP-17"},
		Needs:        harness.Needs(harness.Segments(1), harness.Volumes(2), harness.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME), harness.ExactCapacity(), harness.Exhaustion()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume, room := leaveRoom(ctx, driver)
			whole := bytesOf(driver, volume) + room

			for _, bytes := range []int64{whole, whole + 1, whole + driver.Size()} {
				_, err := driver.Controller.ControllerExpandVolume(ctx, growth.ControllerRequest(driver, volume, bytes))
				suite.Evidence(ctx, fmt.Sprintf("growth to %d bytes", bytes), describe.Status(err))
				expectAnswer(ctx, driver, driver.Room.Request(driver.Z2))
			}
		},
	}
}
