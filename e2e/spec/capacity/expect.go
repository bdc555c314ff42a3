// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"fmt"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// mustGet returns GetCapacity's answer, which the case depends on.
func mustGet(ctx context.Context, driver *harness.Driver, request *csi.GetCapacityRequest) *csi.GetCapacityResponse {
	return harness.NeedOK(driver.Controller.GetCapacity(ctx, request))
}

// available returns the available_capacity of a segment in bytes; for nil, the total.
func available(ctx context.Context, driver *harness.Driver, segment model.Segment) int64 {
	return mustGet(ctx, driver, driver.Room.Request(segment)).GetAvailableCapacity()
}

// largest returns the size in bytes of the largest volume according to the answer.
func largest(told *csi.GetCapacityResponse) int64 {
	if maximum := told.GetMaximumVolumeSize(); maximum != nil {
		return min(maximum.GetValue(), told.GetAvailableCapacity())
	}
	return told.GetAvailableCapacity()
}

// isStatic reports whether the answer's maximum does not depend on the remaining room.
func isStatic(told *csi.GetCapacityResponse) bool {
	return told.GetMaximumVolumeSize().GetValue() > told.GetAvailableCapacity()
}

// warnOfStatic warns if maximum_volume_size exceeds the available capacity. The specification does not say whether it
// follows the remaining room.
func warnOfStatic(ctx context.Context, request *csi.GetCapacityRequest, told *csi.GetCapacityResponse) {
	suite.Should(ctx, "CAP-14", !isStatic(told), "%s\nanswered maximum_volume_size %d and available_capacity %d: schedulers rely on the former, and no volume of that size can be created",
		describeRequest(request), told.GetMaximumVolumeSize().GetValue(), told.GetAvailableCapacity())
}

// expectNotNegative fails the case if a size in the answer is negative.
func expectNotNegative(request *csi.GetCapacityRequest, told *csi.GetCapacityResponse) {
	var clauses, fields []string
	for _, size := range []struct {
		clause, field string
		bytes         int64
	}{
		{"CAP-13", "available_capacity", told.GetAvailableCapacity()},
		{"CAP-17", "maximum_volume_size", told.GetMaximumVolumeSize().GetValue()},
		{"CAP-23", "minimum_volume_size", told.GetMinimumVolumeSize().GetValue()},
	} {
		if size.bytes < 0 {
			clauses, fields = append(clauses, size.clause), append(fields, fmt.Sprintf("%s %d", size.field, size.bytes))
		}
	}
	if len(clauses) > 0 {
		suite.FailAbout(clauses, "%s\nanswered %s, which must not be negative", describeRequest(request), strings.Join(fields, ", "))
	}
}

// expectNone judges the answer to a request for which no volume can be created: it reports no room, or is INVALID_ARGUMENT.
// The specification leaves that open, and also whether such a mistake may be ignored: reported room fails the case only if
// demanded is set.
func expectNone(ctx context.Context, clause string, demanded bool, driver *harness.Driver, request *csi.GetCapacityRequest, why string) {
	told, err := driver.Controller.GetCapacity(ctx, request)
	if err != nil {
		harness.ExpectRefused(ctx, "GEN-12", err, describeRequest(request)+"\n"+why+": the answer is 0, or INVALID_ARGUMENT", codes.InvalidArgument)
		return
	}
	expectNotNegative(request, told)
	if room := largest(told); room > 0 {
		const text = "%s\n%s, and %d bytes are said to be available"
		if demanded {
			suite.Fail(clause, text, describeRequest(request), why, room)
		}
		suite.Warn(ctx, clause, text, describeRequest(request), why, room)
		return
	}
	warnOfStatic(ctx, request, told)
}

// expectAnswer fails the case if GetCapacity is not implemented, or returns RESOURCE_EXHAUSTED or OUT_OF_RANGE: without
// room, the capacity is 0. Any other refusal ends the case as an error.
func expectAnswer(ctx context.Context, driver *harness.Driver, request *csi.GetCapacityRequest) *csi.GetCapacityResponse {
	told, err := driver.Controller.GetCapacity(ctx, request)
	switch code := status.Code(err); code {
	case codes.Unimplemented:
		harness.ExpectOK("CAP-01", err, describeRequest(request)+"\nGET_CAPACITY is claimed, so GetCapacity must be implemented")
	case codes.ResourceExhausted, codes.OutOfRange:
		harness.ExpectOK("CAP-12", err, describeRequest(request)+"\navailable_capacity is REQUIRED: it is 0 if there is no room")
	default:
		told = harness.NeedOK(told, err)
	}
	expectNotNegative(request, told)
	return told
}

// expectTooLittle warns if the answer has room for a volume of the given size although such a volume was refused: the room
// may be fragmented, or reserved for others.
func expectTooLittle(ctx context.Context, driver *harness.Driver, request *csi.GetCapacityRequest, bytes int64, why string) {
	var told *csi.GetCapacityResponse
	little := driver.Settled(ctx, effect.Room, func() bool {
		told = expectAnswer(ctx, driver, request)
		return largest(told) < bytes
	})
	if !little {
		suite.Warn(ctx, "CAP-18", "%s\n%s, so that a volume of %d bytes is refused, and %d bytes are said to be available; if room is in pieces, maximum_volume_size says how large a volume can be",
			describeRequest(request), why, bytes, largest(told))
		return
	}
	warnOfStatic(ctx, request, told)
}

// mustGetRoom is like mustGet, before a volume of the given size in bytes is created. If others use the back end too, it
// waits for room: an answer from before says nothing about a moment later.
func mustGetRoom(ctx context.Context, driver *harness.Driver, request *csi.GetCapacityRequest, bytes int64) *csi.GetCapacityResponse {
	told := mustGet(ctx, driver, request)
	if driver.Profile().Capacity.Exact() || largest(told) >= bytes {
		return told
	}
	driver.Settled(ctx, effect.RoomAgain, func() bool {
		told = mustGet(ctx, driver, request)
		return largest(told) >= bytes
	})
	return told
}

// expectRoom judges an answer from before a volume of the given size was created: it must have room for it. Only capacity
// that the profile calls exact can fail the case.
func expectRoom(ctx context.Context, clause string, driver *harness.Driver, request *csi.GetCapacityRequest, told *csi.GetCapacityResponse, bytes int64) {
	if largest(told) >= bytes {
		return
	}
	const text = "%s\nhad room for volumes of %d bytes, and one of %d bytes was created right afterwards"
	if driver.Profile().Capacity.Exact() {
		suite.Fail(clause, text, describeRequest(request), largest(told), bytes)
	}
	suite.Warn(ctx, clause, text, describeRequest(request), largest(told), bytes)
}
