// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/holdings"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// controllerGrowth returns the needs of every case on ControllerExpandVolume.
func controllerGrowth() []harness.Need {
	return harness.Needs(harness.Volumes(1), harness.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME))
}

// larger returns the size in bytes that a case grows the volume to, more than it has. Without grownBytes in the profile it
// is at least twice the volume's size.
func larger(driver *harness.Driver, volume *csi.Volume) int64 {
	bytes, has := growth.Size(driver), volume.GetCapacityBytes()
	if driver.Profile().GrownBytes == 0 {
		bytes = max(bytes, 2*has)
	}
	if has >= bytes {
		suite.CouldNotTell("volume %s already has %d bytes, and the case grows it to %d: set grownBytes in the profile to more", volume.GetVolumeId(), has, bytes)
	}
	return bytes
}

// sizeOf returns the size in bytes that the volume was created with: the requested size if the driver does not report
// it.
func sizeOf(driver *harness.Driver, volume *csi.Volume) int64 {
	return max(driver.Size(), volume.GetCapacityBytes())
}

// mustGrow grows a volume by a valid request, and judges the answer by the clause that demands it.
func mustGrow(ctx context.Context, driver *harness.Driver, volume *csi.Volume, request *csi.ControllerExpandVolumeRequest, clause string) *csi.ControllerExpandVolumeResponse {
	response, err := driver.Controller.ControllerExpandVolume(ctx, request)
	return judgeGrowth(ctx, driver, volume, request, clause, response, err)
}

// judgeGrowth is like mustGrow, for a call that was made.
func judgeGrowth(ctx context.Context, driver *harness.Driver, volume *csi.Volume, request *csi.ControllerExpandVolumeRequest, clause string, response *csi.ControllerExpandVolumeResponse, err error) *csi.ControllerExpandVolumeResponse {
	if err != nil {
		harness.NeedRoomToGrow(ctx, driver, request, err)
		mustNotNeedLimit(ctx, driver, request, clause, err)
		judgeRefusal(clause, "ControllerExpandVolume of "+describe.Range(request.GetCapacityRange()), err, roomFor(driver, volume, request.GetCapacityRange().GetRequiredBytes()))
	}
	expectAtLeast(response.GetCapacityBytes(), request.GetCapacityRange())
	return response
}

// mustNotNeedLimit fails the case by the clause if a size that was out of range is accepted with limit_bytes at that
// size: without limit_bytes, which is OPTIONAL, it is in every range that begins there.
func mustNotNeedLimit(ctx context.Context, driver *harness.Driver, request *csi.ControllerExpandVolumeRequest, clause string, err error) {
	if status.Code(err) != codes.OutOfRange || request.GetCapacityRange().GetLimitBytes() != 0 || request.GetCapacityRange().GetRequiredBytes() <= 0 {
		return
	}
	exact := proto.CloneOf(request)
	exact.CapacityRange.LimitBytes = exact.GetCapacityRange().GetRequiredBytes()
	_, refused := driver.Controller.ControllerExpandVolume(ctx, exact)
	suite.Must(clause, refused != nil, "ControllerExpandVolume of %s was refused: %s\nControllerExpandVolume of %s is OK, and that size is in both ranges",
		describe.Range(request.GetCapacityRange()), describe.Status(err), describe.Range(exact.GetCapacityRange()))
}

// expectAtLeast fails the case if capacity_bytes of an answer is missing, or less than required.
func expectAtLeast(bytes int64, asked *csi.CapacityRange) {
	suite.Must("CE-13", bytes > 0, "ControllerExpandVolume of %s answered no capacity_bytes, which is REQUIRED", describe.Range(asked))
	suite.Must("CR-03", bytes >= asked.GetRequiredBytes(), "ControllerExpandVolume of %s answered capacity_bytes %d, less than required_bytes", describe.Range(asked), bytes)
}

// judgeRefusal ends the case after a valid growth was refused. It fails the case by the clause, unless the code, or a lack of
// room, may be the reason.
func judgeRefusal(clause, call string, err error, room bool) {
	const refused = "%s is a valid request, and was refused: %s"
	switch code := status.Code(err); {
	case code == codes.Unimplemented:
		suite.Fail(clause, refused, call, describe.Status(err))
	case code == codes.ResourceExhausted:
		suite.Skip(suite.ByEnvironment, "there is no room for the growth: %s answered %s", call, describe.Status(err))
	case code == codes.OutOfRange:
		suite.CouldNotTell(refused+"\nset grownBytes in the profile to a size that volumes of the driver can have", call, describe.Status(err))
	case code == codes.InvalidArgument, code == codes.PermissionDenied, code == codes.Unauthenticated:
		suite.CouldNotTell(refused+"\nif the call needs secrets, name them in the profile", call, describe.Status(err))
	case !room:
		suite.CouldNotTell(refused+"\nwhether there was room for it is unknown", call, describe.Status(err))
	default:
		suite.Fail(clause, refused, call, describe.Status(err))
	}
}

// roomFor reports whether each segment of the volume has room for the given number of bytes, by capacity that the
// profile calls exact.
func roomFor(driver *harness.Driver, volume *csi.Volume, bytes int64) bool {
	if !driver.Profile().Capacity.Exact() {
		return false
	}
	for _, segment := range messages.Segments(volume.GetAccessibleTopology()) {
		if available, told := driver.Room.Available(segment); !told || available < bytes {
			return false
		}
	}
	return len(volume.GetAccessibleTopology()) > 0
}

// needGrown grows the volume to the size in bytes, which the case depends on and does not judge.
func needGrown(ctx context.Context, driver *harness.Driver, volume *csi.Volume, bytes int64, capability *csi.VolumeCapability) {
	request := growth.ControllerRequest(driver, volume, bytes)
	request.VolumeCapability = capability
	response, err := driver.Controller.ControllerExpandVolume(ctx, request)
	harness.NeedRoomToGrow(ctx, driver, request, err)
	harness.NeedOK(response, err)
}

// expectReported compares the size that the driver reports for the volume with the size that it has, once it had time to
// settle. 0 is unknown (VOL-01).
func expectReported(ctx context.Context, driver *harness.Driver, volume *csi.Volume, bytes int64) {
	for call, reported := range otherSizes(ctx, driver, volume, bytes) {
		hint := ""
		if call == "ListVolumes" {
			hint = "\nIf its lists take longer to show what has changed, raise settle in the profile's timeouts"
		}
		suite.Fail("CE-13", "the volume has %d bytes, as ControllerExpandVolume answered, and %s reports %d%s", bytes, call, reported, hint)
	}
}

// otherSizes returns the sizes in bytes that calls report for the volume and that differ, once they had time to settle.
func otherSizes(ctx context.Context, driver *harness.Driver, volume *csi.Volume, bytes int64) map[string]int64 {
	var others map[string]int64
	driver.Settled(ctx, effect.Growth, func() bool {
		others = map[string]int64{}
		for call, now := range listing.Reported(ctx, driver, volume.GetVolumeId()) {
			if got := now.GetCapacityBytes(); got != 0 && got != bytes {
				others[call] = got
			}
		}
		return len(others) == 0
	})
	return others
}

// expectUnchanged warns if a refused growth changed something. No clause forbids it, but users lose capacity that no volume
// has, and see sizes that they did not request.
func expectUnchanged(ctx context.Context, driver *harness.Driver, before holdings.Watched, volume *csi.Volume) {
	for _, taken := range before.Taken(ctx, 0, nil) {
		suite.Warn(ctx, "CAP-07", "a growth was refused, and capacity was taken: %s", taken)
	}
	expectNotNegative(ctx, driver)
	if bytes := volume.GetCapacityBytes(); bytes != 0 {
		for call, reported := range otherSizes(ctx, driver, volume, bytes) {
			suite.Warn(ctx, "CE-13", "a growth of a volume of %d bytes was refused, and %s reports %d", bytes, call, reported)
		}
	}
}

// expectNotNegative fails the case if the available capacity of a segment is negative.
func expectNotNegative(ctx context.Context, driver *harness.Driver) {
	if !driver.Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY) {
		return
	}
	for _, segment := range append(model.Set{nil}, driver.Sample()...) {
		response, err := driver.Controller.GetCapacity(ctx, driver.Room.Request(segment))
		if err != nil {
			continue // the cases about GetCapacity judge it
		}
		suite.Must("CAP-13", response.GetAvailableCapacity() >= 0, "GetCapacity of {%s} answered available_capacity %d, which must not be negative", segment, response.GetAvailableCapacity())
	}
}
