// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// growUnsupportedCapability asks with a capability that the volume does not have. A driver that ignores the optional
// field hides a mistake of the CO.
func growUnsupportedCapability() harness.Case {
	return harness.Case{
		ID:           "grow_unsupported_capability",
		Text:         "returns INVALID_ARGUMENT for a volume_capability that the volume does not have",
		Requirements: []string{"CE-16", "GEN-15", "GEN-16"},
		Needs:        controllerGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			request := growth.ControllerRequest(driver, volume, larger(driver, volume))
			unsupported, why := validation.Unsupported(ctx, driver, volume)
			request.VolumeCapability = unsupported
			before := driver.Held.Watch(ctx)

			_, err := driver.Controller.ControllerExpandVolume(ctx, request)

			if err == nil {
				suite.Warn(ctx, "CE-16", "ControllerExpandVolume answered OK for a volume_capability %s: %s", why, describe.Capability(request.GetVolumeCapability()))
				return
			}
			harness.ExpectRefused(ctx, "CE-16", err, "a volume_capability "+why+" is INVALID_ARGUMENT", codes.InvalidArgument)
			expectUnchanged(ctx, driver, before, volume)
		},
	}
}

// growUnknownVolume uses the volume_id of a volume that was deleted, so that it has the driver's own form.
func growUnknownVolume() harness.Case {
	return harness.Case{
		ID:           "grow_unknown_volume",
		Text:         "returns NOT_FOUND for a volume that was deleted",
		Requirements: []string{"CE-17", "GEN-15", "GEN-16"},
		Needs:        controllerGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := deletion.Volume(ctx, driver)
			request := growth.ControllerRequest(driver, volume, growth.Size(driver))

			deletion.ExpectUnknown(ctx, driver, "CE-17", volume, "ControllerExpandVolume", func() error {
				_, err := driver.Controller.ControllerExpandVolume(ctx, request)
				return err
			})
		},
	}
}

// invalidRanges returns the cases about capacity ranges that a CO must not send. A driver that ignores the mistake
// gets a warning, as does one that returns another code; one that grows the volume fails.
func invalidRanges() []harness.Case {
	return []harness.Case{{
		ID:           "grow_empty_range",
		Text:         "returns INVALID_ARGUMENT for a capacity_range with neither required_bytes nor limit_bytes",
		Requirements: []string{"CR-02", "GEN-11", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        controllerGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			expectInvalid(ctx, driver, driver.NeedVolume(ctx, driver.Volume(1)), "CR-02", &csi.CapacityRange{})
		},
	}, {
		ID:           "grow_invalid_range",
		Text:         "returns INVALID_ARGUMENT or OUT_OF_RANGE for negative bytes, and for required_bytes above limit_bytes",
		Requirements: []string{"CR-03", "CR-04", "CR-05", "CR-06", "CE-19", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        controllerGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			bytes := larger(driver, volume)
			suite.Each([]func(){
				func() { expectInvalid(ctx, driver, volume, "CR-04", &csi.CapacityRange{RequiredBytes: -bytes}) },
				func() { expectInvalid(ctx, driver, volume, "CR-06", &csi.CapacityRange{LimitBytes: -bytes}) },
				func() {
					expectNoSize(ctx, driver, volume, &csi.CapacityRange{RequiredBytes: bytes, LimitBytes: bytes - 1})
				},
			}, func(ask func()) { ask() })
		},
	}}
}

// expectInvalid requests a range that contradicts the clause, which binds the CO.
func expectInvalid(ctx context.Context, driver *harness.Driver, volume *csi.Volume, clause string, asked *csi.CapacityRange) {
	if response, refused := askInvalid(ctx, driver, volume, asked); !refused {
		suite.Must(clause, response.GetCapacityBytes() <= sizeOf(driver, volume), "the volume has %d bytes, and ControllerExpandVolume of %s, which is invalid, answered OK and capacity_bytes %d",
			sizeOf(driver, volume), describe.Range(asked), response.GetCapacityBytes())
		suite.Warn(ctx, clause, "ControllerExpandVolume of %s answered OK: that hides a mistake of the CO", describe.Range(asked))
	}
}

// expectNoSize requests a range that contains no size: every size in an answer is outside it.
func expectNoSize(ctx context.Context, driver *harness.Driver, volume *csi.Volume, asked *csi.CapacityRange) {
	if response, refused := askInvalid(ctx, driver, volume, asked); !refused {
		expectAtMost(response.GetCapacityBytes(), asked)
		expectAtLeast(response.GetCapacityBytes(), asked)
	}
}

func askInvalid(ctx context.Context, driver *harness.Driver, volume *csi.Volume, asked *csi.CapacityRange) (response *csi.ControllerExpandVolumeResponse, refused bool) {
	before := driver.Held.Watch(ctx)
	request := growth.ControllerRequest(driver, volume, 0)
	request.CapacityRange = asked
	response, err := driver.Controller.ControllerExpandVolume(ctx, request)
	if err == nil {
		return response, false
	}
	harness.ExpectInvalidRefused(ctx, "GEN-12", err, "ControllerExpandVolume of "+describe.Range(asked)+" is INVALID_ARGUMENT (GEN-12) or OUT_OF_RANGE (CE-19)", codes.InvalidArgument, codes.OutOfRange)
	expectUnchanged(ctx, driver, before, volume)
	return nil, true
}
