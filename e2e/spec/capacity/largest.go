// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"math"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// largestVolume returns the cases about maximum_volume_size, which is tested at its limit.
func largestVolume() []harness.Case {
	return []harness.Case{capacityMaximumCanBeHad(), capacityMoreThanMaximum(), capacityMaximumOfLittleRoom()}
}

func capacityMaximumCanBeHad() harness.Case {
	return harness.Case{
		ID:           "capacity_maximum_can_be_had",
		Text:         "creates volumes of maximum_volume_size, or of all that is available if that is less",
		Requirements: []string{"CAP-14", "CAP-15", "CAP-16", "CAP-18", "CR-03", "CV-07", "K8S-D16"},
		Needs:        harness.Needs(harness.Volumes(1), harness.TrackedCapacity()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			limit := driver.Profile().Filling().Bytes
			for _, x := range kinds(driver) {
				request := requestFor(driver, x, driver.Z2)
				told := mustGet(ctx, driver, request)
				bytes := largest(told)
				if bytes == 0 {
					continue // two topologies have no room
				}
				if limit > 0 && bytes > limit {
					suite.Skip(suite.ByProfile, "the largest volume has %d bytes, and the profile lets %d bytes be filled at most (fill.bytes)", bytes, limit)
				}
				warnOfStatic(ctx, request, told)
				expectCreated(ctx, driver, x, request, told)
			}
		},
	}
}

// expectCreated requests a volume for x topologies of the largest size in an answer. If that is a maximum_volume_size, it
// must be possible to create the volume; but RESOURCE_EXHAUSTED, for example for a quota, contradicts only capacity that the
// profile calls exact.
func expectCreated(ctx context.Context, driver *harness.Driver, x int, request *csi.GetCapacityRequest, told *csi.GetCapacityResponse) {
	asked := volumeIn(driver, x, driver.Z2).OfBytes(largest(told))
	answer := creation.Create(ctx, driver, asked)
	if choosesNoOthers(ctx, x, answer.Code) {
		return
	}
	if answer.Code == codes.OK {
		has := answer.Volume.GetCapacityBytes()
		suite.Must("CR-03", has == 0 || has >= asked.Bytes, "CreateVolume of required_bytes %d answered capacity_bytes %d, and the volume must have at least the former", asked.Bytes, has)
		return
	}
	const text = "%s\nsaid that volumes of %d bytes can be created, and one was refused\ngot: %s"
	exhausted := answer.Code == codes.ResourceExhausted && !driver.Profile().Capacity.Exact()
	switch {
	case told.GetMaximumVolumeSize() == nil || isStatic(told):
		suite.Warn(ctx, "CAP-18", text+"\nIf volumes have a maximum size, maximum_volume_size should say it", describeRequest(request), asked.Bytes, answer)
	case exhausted:
		suite.Warn(ctx, "CAP-14", text, describeRequest(request), asked.Bytes, answer)
	default:
		suite.Fail("CAP-14", text, describeRequest(request), asked.Bytes, answer)
	}
}

// expectTooLarge requests a volume for x topologies that is one byte larger than maximum_volume_size. That is OUT_OF_RANGE,
// for a size that no volume may have, or RESOURCE_EXHAUSTED, for one without room.
func expectTooLarge(ctx context.Context, driver *harness.Driver, x int, maximum int64) {
	answer := creation.Create(ctx, driver, volumeIn(driver, x, driver.Z2).OfBytes(maximum+1))
	if choosesNoOthers(ctx, x, answer.Code) {
		return
	}
	suite.Must("CAP-14", answer.Code != codes.OK, "maximum_volume_size is %d, and a volume of %d bytes was created: that is not the largest", maximum, maximum+1)
	suite.Must("CREATE-11", answer.Code == codes.OutOfRange || answer.Code == codes.ResourceExhausted,
		"maximum_volume_size is %d, and a volume of %d bytes is OUT_OF_RANGE or RESOURCE_EXHAUSTED\ngot: %s", maximum, maximum+1, answer)
	creation.ExpectNothingLeft(ctx, answer)
}

func capacityMoreThanMaximum() harness.Case {
	return harness.Case{
		ID:           "capacity_more_than_maximum",
		Text:         "refuses a volume that is one byte larger than maximum_volume_size",
		Requirements: []string{"CAP-14", "CAP-15", "CREATE-08", "CREATE-11", "CV-07", "GEN-15", "GEN-16", "K8S-D16"},
		Needs:        harness.Needs(harness.Volumes(1), harness.ExactCapacity()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			judged := 0
			for _, x := range kinds(driver) {
				maximum := mustGet(ctx, driver, requestFor(driver, x, driver.Z2)).GetMaximumVolumeSize()
				if maximum == nil || maximum.GetValue() == math.MaxInt64 {
					continue
				}
				judged++
				expectTooLarge(ctx, driver, x, maximum.GetValue())
			}
			if judged == 0 {
				suite.Skip(suite.ByCapability, "GetCapacity returns no maximum_volume_size, which is OPTIONAL")
			}
		},
	}
}

// capacityMaximumOfLittleRoom leaves little room in a segment. A maximum_volume_size that does not change is a general limit
// for volumes, which the specification does not exclude.
func capacityMaximumOfLittleRoom() harness.Case {
	return harness.Case{
		ID:           "capacity_maximum_of_little_room",
		Text:         "returns maximum_volume_size to the byte when a segment is almost full",
		Requirements: []string{"CAP-14", "CREATE-08", "CREATE-11", "CV-07", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Segments(1), harness.Volumes(2), harness.ExactCapacity(), harness.Exhaustion()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := driver.Room.Request(driver.Z2)
			before := mustGet(ctx, driver, request).GetMaximumVolumeSize()
			leaveRoom(ctx, driver)
			told := mustGet(ctx, driver, request)
			maximum := told.GetMaximumVolumeSize()
			if maximum == nil {
				suite.Skip(suite.ByCapability, "GetCapacity returns no maximum_volume_size, which is OPTIONAL")
			}
			if isStatic(told) && maximum.GetValue() == before.GetValue() {
				warnOfStatic(ctx, request, told)
				expectCreated(ctx, driver, 1, request, told)
				return
			}
			expectTooLarge(ctx, driver, 1, maximum.GetValue())
			answer := creation.Create(ctx, driver, volumeIn(driver, 1, driver.Z2).OfBytes(maximum.GetValue()))
			suite.Must("CAP-14", answer.Code == codes.OK, "%s\nanswered maximum_volume_size %d, and a volume of that size is refused\ngot: %s", describeRequest(request), maximum.GetValue(), answer)
		},
	}
}
