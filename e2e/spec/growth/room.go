// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/fill"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/holdings"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// taken returns the cases about the capacity that a growth takes: its bytes, in each of the volume's segments.
func taken() []harness.Case {
	return []harness.Case{{
		ID:           "growth_in_one_zone",
		Text:         "takes the capacity for a growth from the volume's own segment",
		Requirements: []string{"CE-13", "CAP-07", "CAP-11", "CAP-12", "CAP-13"},
		Needs:        exactGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			expectGrowthTaken(ctx, driver, func() *csi.Volume { return driver.NeedVolume(ctx, driver.Volume(1)) })
		},
	}, {
		ID:           "growth_in_both_zones",
		Text:         "takes the capacity for the growth of a volume in Z2 and Z3 from both",
		Requirements: []string{"CE-13", "CAP-07", "CAP-13"},
		Needs:        inTwo(exactGrowth()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			expectGrowthTaken(ctx, driver, func() *csi.Volume { return driver.NeedVolume(ctx, driver.Volume(2).Within(driver.Z2, driver.Z3)) })
		},
	}}
}

func exactGrowth() []harness.Need {
	return harness.Needs(controllerGrowth(), harness.ExactCapacity())
}

func inTwo(needs []harness.Need) []harness.Need {
	return harness.Needs(harness.Segments(2), needs, harness.Volumes(4), harness.AccessibleFrom(2))
}

func expectGrowthTaken(ctx context.Context, driver *harness.Driver, create func() *csi.Volume) {
	before := driver.Held.Watch(ctx)
	volume := create()
	request := growth.ControllerRequest(driver, volume, larger(driver, volume))
	response, err := driver.Controller.ControllerExpandVolume(ctx, request)
	if bytes := request.GetCapacityRange().GetRequiredBytes(); status.Code(err) == codes.ResourceExhausted && roomFor(driver, volume, bytes) {
		suite.Warn(ctx, "CAP-07", "GetCapacity, which the profile calls exact, has room for %d bytes in each segment of the volume, and its growth to that size is refused for lack of room: %s", bytes, describe.Status(err))
		return
	}
	harness.NeedOK(response, err)
	// Other cases judge an answer with less than required_bytes.
	expectTaken(ctx, driver, "CAP-07", before, max(response.GetCapacityBytes(), request.GetCapacityRange().GetRequiredBytes()), volume)
}

// expectTaken compares the capacity of each segment, if the profile calls it exact, with the capacity before: the volume has
// taken the given number of bytes since, and nothing else has.
func expectTaken(ctx context.Context, driver *harness.Driver, clause string, before holdings.Watched, bytes int64, volume *csi.Volume) {
	if !driver.Profile().Capacity.Exact() {
		return
	}
	expectNotNegative(ctx, driver)
	for _, problem := range before.Taken(ctx, bytes, volume.GetAccessibleTopology()) {
		suite.Fail(clause, "GetCapacity, which the profile calls exact, does not follow what the volume has taken: %s", problem)
	}
}

// withoutRoom returns the cases about a growth without enough room. The table of errors has no row for it: any refusal
// is accepted, and RESOURCE_EXHAUSTED or OUT_OF_RANGE tell the CO most.
func withoutRoom() []harness.Case {
	requirements := []string{"CE-13", "CE-19", "CAP-07", "CAP-13", "GEN-15", "GEN-16"}
	return []harness.Case{{
		ID:           "grow_full_segment",
		Text:         "refuses to grow a volume when its zone Z2 is full, and changes nothing",
		Requirements: requirements,
		Needs:        harness.Needs(harness.Segments(1), controllerGrowth(), harness.Volumes(4), harness.Exhaustion()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1).Within(driver.Z2))
			fill.Segments(ctx, driver, driver.Z2)

			expectNoRoom(ctx, driver, volume, driver.Size())
		},
	}, {
		ID:           "grow_beyond_room",
		Text:         "refuses to grow a volume by more than is available",
		Requirements: requirements,
		Needs:        exactGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))

			const exbibyte = 1 << 60
			for _, bytes := range []int64{mostAvailable(ctx, driver, volume) + 1, exbibyte} {
				expectNoRoom(ctx, driver, volume, bytes)
			}
		},
	}, {
		ID:           "grow_two_zones_one_full",
		Text:         "refuses to grow a volume in Z2 and Z3 when Z3 is full, and takes no capacity of Z2",
		Requirements: requirements,
		Needs:        harness.Needs(inTwo(controllerGrowth()), harness.Exhaustion()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(2).Within(driver.Z2, driver.Z3))
			fill.Segments(ctx, driver, driver.Z3)

			expectNoRoom(ctx, driver, volume, driver.Size())
		},
	}}
}

// mostAvailable returns the largest available capacity of the volume's segments in bytes.
func mostAvailable(ctx context.Context, driver *harness.Driver, volume *csi.Volume) int64 {
	if len(volume.GetAccessibleTopology()) == 0 {
		return harness.NeedOK(driver.Controller.GetCapacity(ctx, driver.Room.Request(nil))).GetAvailableCapacity()
	}
	var most int64
	for _, segment := range messages.Segments(volume.GetAccessibleTopology()) {
		most = max(most, harness.NeedOK(driver.Controller.GetCapacity(ctx, driver.Room.Request(segment))).GetAvailableCapacity())
	}
	return most
}

// expectNoRoom asks to grow the volume by bytes, more than there is room for. If capacity is not exact, OK is a
// warning: a driver may keep room for growth that it does not offer to new volumes.
func expectNoRoom(ctx context.Context, driver *harness.Driver, volume *csi.Volume, bytes int64) {
	before := driver.Held.Watch(ctx)
	request := growth.ControllerRequest(driver, volume, sizeOf(driver, volume)+bytes)
	asked := describe.Range(request.GetCapacityRange())

	response, err := driver.Controller.ControllerExpandVolume(ctx, request)

	if err == nil {
		const text = "there is no room to grow by %d bytes, and ControllerExpandVolume of %s answered OK and capacity_bytes %d"
		suite.Must("CE-13", !driver.Profile().Capacity.Exact(), text, bytes, asked, response.GetCapacityBytes())
		suite.Warn(ctx, "CE-19", text, bytes, asked, response.GetCapacityBytes())
		return
	}
	harness.ExpectRefused(ctx, "CE-19", err, "ControllerExpandVolume of "+asked+", for which there is no room, is refused")
	switch status.Code(err) {
	case codes.OutOfRange, codes.ResourceExhausted:
	default:
		suite.Warn(ctx, "CE-19", "there is no room for ControllerExpandVolume of %s: RESOURCE_EXHAUSTED or OUT_OF_RANGE tells the CO so\ngot: %s", asked, describe.Status(err))
	}
	expectUnchanged(ctx, driver, before, volume)
}
