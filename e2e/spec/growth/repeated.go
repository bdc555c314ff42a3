// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/calls"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// repeated returns the cases about a growth that is repeated. It is idempotent: a volume that has the size keeps it,
// and takes no more capacity.
func repeated() []harness.Case {
	return []harness.Case{growAgain(), growAtOnce(), growCutShort(), growToSmaller()}
}

// growAgain grows a volume that is not published. Secrets are optional: without any in the profile, the call has none.
func growAgain() harness.Case {
	return harness.Case{
		ID:           "grow_again",
		Text:         "grows a volume, returns the same size when the growth is repeated, and does not exceed limit_bytes when it grows once more",
		Requirements: []string{"CE-01", "CE-02", "CE-03", "CE-10", "CE-13", "CR-03", "CR-05"},
		Needs:        controllerGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			request := growth.ControllerRequest(driver, volume, larger(driver, volume))
			first := mustGrow(ctx, driver, volume, request, "CE-01")
			expectReported(ctx, driver, volume, first.GetCapacityBytes())
			before := driver.Held.Watch(ctx)

			again, err := driver.Controller.ControllerExpandVolume(ctx, request)

			harness.ExpectOK("CE-02", err, "ControllerExpandVolume is idempotent: a volume that already has the size is OK")
			suite.Must("CE-02", again.GetCapacityBytes() == first.GetCapacityBytes(),
				"ControllerExpandVolume of %s answered capacity_bytes %d, and %d when repeated", describe.Range(request.GetCapacityRange()), first.GetCapacityBytes(), again.GetCapacityBytes())
			expectTaken(ctx, driver, "CE-02", before, 0, volume)
			has := expectExact(ctx, driver, volume, request, again.GetCapacityBytes())
			if driver.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT) {
				if _, err := driver.Controller.CreateSnapshot(ctx, snapshots.CreateRequest(driver, volume)); err == nil {
					expectExact(ctx, driver, volume, request, has)
				}
			}
		},
	}
}

// growAtOnce makes the same call several times concurrently. A call may be ABORTED while another is pending.
func growAtOnce() harness.Case {
	return harness.Case{
		ID:           "grow_at_once",
		Text:         "grows a volume once when asked several times concurrently",
		Requirements: []string{"CE-02", "CE-13", "CAP-07", "GEN-02", "GEN-03", "GEN-13"},
		Needs:        controllerGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			before := driver.Held.Watch(ctx)
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			request := growth.ControllerRequest(driver, volume, larger(driver, volume))
			grow := func(ctx context.Context) (*csi.ControllerExpandVolumeResponse, error) {
				return driver.Controller.ControllerExpandVolume(ctx, request)
			}

			answers := calls.Graceful(ctx, "CE-02", calls.AtOnce(ctx, 4, grow))

			last, err := grow(ctx)
			grown := judgeRepeated(ctx, driver, volume, request, answers, last, err)
			expectReported(ctx, driver, volume, grown.GetCapacityBytes())
			expectTaken(ctx, driver, "CAP-07", before, grown.GetCapacityBytes(), volume)
		},
	}
}

// growCutShort cancels the call and repeats it, as a CO does after a timeout. The limit, if the driver has a size below it,
// shows whether the volume grows twice.
func growCutShort() harness.Case {
	return harness.Case{
		ID:           "grow_cut_short",
		Text:         "finishes a growth when the call is cut short and repeated",
		Requirements: []string{"CE-02", "CE-13", "CR-03", "CR-05", "CAP-07", "GEN-02", "GEN-07"},
		Needs:        controllerGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			before := driver.Held.Watch(ctx)
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			request := growth.ControllerRequest(driver, volume, larger(driver, volume))
			grow := func(ctx context.Context) (*csi.ControllerExpandVolumeResponse, error) {
				return driver.Controller.ControllerExpandVolume(ctx, request)
			}

			if has, asked := volume.GetCapacityBytes(), request.GetCapacityRange(); has > 0 {
				asked.LimitBytes = 2*asked.GetRequiredBytes() - has - 1
			}
			answers, err := calls.CutShort(ctx, driver, grow)
			if code := status.Code(err); len(answers) == 0 && (code == codes.OutOfRange || code == codes.InvalidArgument) { // which grow_limit judges
				request.CapacityRange.LimitBytes = 0
				answers, err = calls.CutShort(ctx, driver, grow)
			}

			for _, answer := range answers {
				if request.GetCapacityRange().GetLimitBytes() > 0 {
					expectAtMost(answer.GetCapacityBytes(), request.GetCapacityRange())
				}
			}
			grown := judgeRepeated(ctx, driver, volume, request, answers, last(answers), err)
			for _, answer := range answers {
				suite.Must("CE-02", answer.GetCapacityBytes() == grown.GetCapacityBytes(),
					"ControllerExpandVolume of %s was cut short and repeated, and answered capacity_bytes %d, and then %d", describe.Range(request.GetCapacityRange()), answer.GetCapacityBytes(), grown.GetCapacityBytes())
			}
			expectReported(ctx, driver, volume, grown.GetCapacityBytes())
			expectTaken(ctx, driver, "CAP-07", before, grown.GetCapacityBytes(), volume)
		},
	}
}

// judgeRepeated judges the last of several identical calls. The calls in answers were OK: once one was, the volume has
// the size, and a refusal cannot be for lack of room.
func judgeRepeated(ctx context.Context, driver *harness.Driver, volume *csi.Volume, request *csi.ControllerExpandVolumeRequest, answers []*csi.ControllerExpandVolumeResponse, last *csi.ControllerExpandVolumeResponse, err error) *csi.ControllerExpandVolumeResponse {
	if len(answers) > 0 {
		harness.ExpectOK("CE-02", err, "ControllerExpandVolume of "+describe.Range(request.GetCapacityRange())+" was OK, and is idempotent: a volume that already has the size is OK")
	}
	return judgeGrowth(ctx, driver, volume, request, "CE-02", last, err)
}

// last returns the answer to the last call; nil if none was answered.
func last[Response any](answers []*Response) *Response {
	if len(answers) == 0 {
		return nil
	}
	return answers[len(answers)-1]
}

// growToSmaller requests less than the size of a grown volume, which takes no room.
func growToSmaller() harness.Case {
	return harness.Case{
		ID:           "grow_to_smaller",
		Text:         "keeps the size of a volume when asked for less",
		Requirements: []string{"CE-03", "CE-13", "CAP-07", "GEN-15", "GEN-16"},
		Needs:        controllerGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			grown := mustGrow(ctx, driver, volume, growth.ControllerRequest(driver, volume, larger(driver, volume)), "CE-01")
			before := driver.Held.Watch(ctx)

			expectKept(ctx, driver, volume, growth.ControllerRequest(driver, volume, 0), grown.GetCapacityBytes())

			expectTaken(ctx, driver, "CAP-07", before, 0, volume)
		},
	}
}

// expectKept requests less than the size of the grown volume: the size that it was created with, and one in between, as a
// late call does. The call should be OK; a refusal is a warning. A volume never shrinks.
func expectKept(ctx context.Context, driver *harness.Driver, volume *csi.Volume, request *csi.ControllerExpandVolumeRequest, has int64) {
	for _, bytes := range []int64{driver.Size(), (driver.Size() + has) / 2} {
		request.CapacityRange = &csi.CapacityRange{RequiredBytes: bytes}
		smaller, err := driver.Controller.ControllerExpandVolume(ctx, request)
		if err != nil {
			harness.ExpectRefused(ctx, "CE-03", err, "a volume that is already large enough is OK")
			suite.Warn(ctx, "CE-03", "the volume has %d bytes, and ControllerExpandVolume of %s should be OK\ngot: %s", has, describe.Range(request.GetCapacityRange()), describe.Status(err))
			continue
		}
		suite.Must("CE-13", smaller.GetCapacityBytes() == has, "the volume has %d bytes, and ControllerExpandVolume of %s answered capacity_bytes %d: expansion does not shrink a volume",
			has, describe.Range(request.GetCapacityRange()), smaller.GetCapacityBytes())
	}
	expectReported(ctx, driver, volume, has)
}
