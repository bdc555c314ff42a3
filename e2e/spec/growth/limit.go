// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// limits returns the cases about limit_bytes, which a volume must not exceed. A range without any size that the driver
// supports is OUT_OF_RANGE.
func limits() []harness.Case {
	return []harness.Case{growLimit(), growLimitOnly(), growLimitOfSize(), growLimitBelowSize()}
}

// growLimit requests a size that is not a multiple of any unit: a driver that rounds up exceeds limit_bytes, and one
// that rounds down falls short of required_bytes.
func growLimit() harness.Case {
	return harness.Case{
		ID:           "grow_limit",
		Text:         "grows a volume to at least required_bytes and at most limit_bytes, however it rounds",
		Requirements: []string{"CR-03", "CR-05", "CE-13", "CE-19", "GEN-15", "GEN-16"},
		Needs:        controllerGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			odd, limit := sizeOf(driver, volume)+1, larger(driver, volume)
			ranges := []*csi.CapacityRange{{RequiredBytes: odd, LimitBytes: odd}, {RequiredBytes: odd, LimitBytes: limit}}
			if volume.GetCapacityBytes() == 0 {
				ranges = ranges[1:] // the volume may be larger than that already
			}
			for _, asked := range ranges {
				response, err := growTo(ctx, driver, volume, asked)
				if err != nil {
					expectUnsupported(ctx, asked, err)
					continue
				}
				expectAtLeast(response.GetCapacityBytes(), asked)
				expectAtMost(response.GetCapacityBytes(), asked)
				expectReported(ctx, driver, volume, response.GetCapacityBytes())
				return
			}
		},
	}
}

// expectExact grows a volume by one byte more than it has, and no more, in a state that the case is about, and returns the
// size that it has then. A driver may refuse that, because it may not support such a size.
func expectExact(ctx context.Context, driver *harness.Driver, volume *csi.Volume, request *csi.ControllerExpandVolumeRequest, has int64) int64 {
	asked := proto.CloneOf(request)
	asked.CapacityRange = &csi.CapacityRange{RequiredBytes: has + 1, LimitBytes: has + 1}
	response, err := driver.Controller.ControllerExpandVolume(ctx, asked)
	if err != nil {
		return has
	}
	expectAtLeast(response.GetCapacityBytes(), asked.GetCapacityRange())
	expectAtMost(response.GetCapacityBytes(), asked.GetCapacityRange())
	expectReported(ctx, driver, volume, response.GetCapacityBytes())
	return response.GetCapacityBytes()
}

func growTo(ctx context.Context, driver *harness.Driver, volume *csi.Volume, asked *csi.CapacityRange) (*csi.ControllerExpandVolumeResponse, error) {
	request := growth.ControllerRequest(driver, volume, 0)
	request.CapacityRange = asked
	response, err := driver.Controller.ControllerExpandVolume(ctx, request)
	harness.NeedRoomToGrow(ctx, driver, request, err)
	return response, err
}

func expectAtMost(bytes int64, asked *csi.CapacityRange) {
	suite.Must("CR-05", bytes <= asked.GetLimitBytes(), "ControllerExpandVolume of %s answered capacity_bytes %d, more than limit_bytes", describe.Range(asked), bytes)
}

// expectUnsupported judges the refusal of a range that may have no size that the driver supports: OUT_OF_RANGE, or with a
// warning INVALID_ARGUMENT, which the general table contains for values that a plugin does not allow.
func expectUnsupported(ctx context.Context, asked *csi.CapacityRange, err error) {
	harness.ExpectRefused(ctx, "CE-19", err, "ControllerExpandVolume of "+describe.Range(asked)+", in which the driver may support no size, is OK or OUT_OF_RANGE", codes.OutOfRange, codes.InvalidArgument)
	suite.Should(ctx, "CE-19", status.Code(err) == codes.OutOfRange, "ControllerExpandVolume of %s is a valid request: OUT_OF_RANGE, not %s, tells the CO that no such size is supported", describe.Range(asked), describe.Status(err))
}

func growLimitOnly() harness.Case {
	return harness.Case{
		ID:           "grow_limit_only",
		Text:         "accepts a capacity_range with limit_bytes only",
		Requirements: []string{"CR-02", "CR-05", "CE-13", "CE-19", "GEN-15", "GEN-16"},
		Needs:        controllerGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			asked := &csi.CapacityRange{LimitBytes: larger(driver, volume)}

			response, err := growTo(ctx, driver, volume, asked)

			if err != nil {
				expectUnsupported(ctx, asked, err)
				return
			}
			expectAtMost(response.GetCapacityBytes(), asked)
			suite.Must("CE-13", response.GetCapacityBytes() > 0, "ControllerExpandVolume of %s answered capacity_bytes %d, and the capacity of the volume after expansion is REQUIRED", describe.Range(asked), response.GetCapacityBytes())
			suite.Must("CE-13", response.GetCapacityBytes() >= sizeOf(driver, volume), "the volume has %d bytes, and ControllerExpandVolume of %s answered capacity_bytes %d: expansion does not shrink a volume",
				sizeOf(driver, volume), describe.Range(asked), response.GetCapacityBytes())
			expectReported(ctx, driver, volume, response.GetCapacityBytes())
		},
	}
}

// growLimitOfSize requests the size that the volume has, and no more.
func growLimitOfSize() harness.Case {
	return harness.Case{
		ID:           "grow_limit_of_size",
		Text:         "should return OK where required_bytes and limit_bytes are the size that the volume has",
		Requirements: []string{"CE-03", "CE-13", "CR-05", "GEN-15", "GEN-16"},
		Needs:        controllerGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			has := volume.GetCapacityBytes()
			if has == 0 {
				suite.Skip(suite.ByCapability, "CreateVolume does not return the size of the volume, which the case needs")
			}
			asked := &csi.CapacityRange{RequiredBytes: has, LimitBytes: has}

			response, err := growTo(ctx, driver, volume, asked)

			if err != nil {
				harness.ExpectRefused(ctx, "CE-03", err, "ControllerExpandVolume of the size that the volume has is OK, or refused")
				suite.Warn(ctx, "CE-03", "the volume has %d bytes, and ControllerExpandVolume of %s should be OK\ngot: %s", has, describe.Range(asked), describe.Status(err))
				return
			}
			expectAtLeast(response.GetCapacityBytes(), asked)
			expectAtMost(response.GetCapacityBytes(), asked)
			expectReported(ctx, driver, volume, has)
		},
	}
}

// growLimitBelowSize requests less than the volume has. OK with the current size follows CE-03 and contradicts CR-05:
// it is a warning. Shrinking is a failure.
func growLimitBelowSize() harness.Case {
	return harness.Case{
		ID:           "grow_limit_below_size",
		Text:         "does not shrink a volume that is already larger than limit_bytes",
		Requirements: []string{"CR-05", "CE-03", "CE-13", "CE-19", "GEN-15", "GEN-16"},
		Needs:        controllerGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			has := volume.GetCapacityBytes()
			if has == 0 {
				suite.Skip(suite.ByCapability, "CreateVolume does not return the size of the volume, which the case needs")
			}
			before := driver.Held.Watch(ctx)
			asked := &csi.CapacityRange{RequiredBytes: (has + 1) / 2, LimitBytes: has - 1}

			response, err := growTo(ctx, driver, volume, asked)

			if err != nil {
				expectUnsupported(ctx, asked, err)
				expectUnchanged(ctx, driver, before, volume)
				return
			}
			suite.Must("CE-13", response.GetCapacityBytes() == has, "the volume has %d bytes, and ControllerExpandVolume of %s answered capacity_bytes %d: it may neither shrink nor grow",
				has, describe.Range(asked), response.GetCapacityBytes())
			suite.Warn(ctx, "CR-05", "the volume has %d bytes, and ControllerExpandVolume of %s answered OK, though it must not be larger than limit_bytes", has, describe.Range(asked))
			expectReported(ctx, driver, volume, has)
		},
	}
}
