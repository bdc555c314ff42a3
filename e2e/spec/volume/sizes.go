// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// sizes returns the cases about capacity_range.
func sizes() []harness.Case {
	return slices.Concat([]harness.Case{sizeAtLeastRequired(), sizeExact(), sizeLimitOnly(), sizeOmitted()}, sizeMistakes(), []harness.Case{sizeTooLarge(), sizeOfBlock()})
}

// sizesOf returns the size of a volume in bytes according to CreateVolume's answer, and to ControllerGetVolume and
// ListVolumes now. A size of 0 is unknown, and left out.
func sizesOf(ctx context.Context, driver *harness.Driver, volume *csi.Volume) map[string]int64 {
	told := map[string]int64{"CreateVolume": volume.GetCapacityBytes()}
	if driver.Claims(csi.ControllerServiceCapability_RPC_GET_VOLUME) {
		if got, err := driver.Controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: volume.GetVolumeId()}); err == nil {
			told["ControllerGetVolume"] = got.GetVolume().GetCapacityBytes()
		}
	}
	if driver.ListsVolumes() {
		told["ListVolumes"] = listing.Volume(ctx, driver, volume.GetVolumeId()).GetCapacityBytes()
	}
	maps.DeleteFunc(told, func(_ string, bytes int64) bool { return bytes == 0 })
	return told
}

// expectInRange fails the case if a call returns a size of the volume that is outside the range.
func expectInRange(ctx context.Context, driver *harness.Driver, volume *csi.Volume, asked *csi.CapacityRange) {
	told := sizesOf(ctx, driver, volume)
	if len(told) == 0 {
		suite.Reduced(ctx, "no call returns the size of the volume")
	}
	for _, call := range slices.Sorted(maps.Keys(told)) {
		expectBytes(call, told[call], asked)
	}
}

func expectBytes(call string, bytes int64, asked *csi.CapacityRange) {
	suite.Must("CR-03", bytes >= asked.GetRequiredBytes(), "CreateVolume was called with %s, and the volume has %d bytes, by %s", describe.Range(asked), bytes, call)
	suite.Must("CR-05", asked.GetLimitBytes() <= 0 || bytes <= asked.GetLimitBytes(), "CreateVolume was called with %s, and the volume has %d bytes, by %s", describe.Range(asked), bytes, call)
}

// mustKnowSize returns the size of a volume, which the case depends on. If no call returns it the case is skipped.
func mustKnowSize(ctx context.Context, driver *harness.Driver, volume *csi.Volume) int64 {
	for _, bytes := range sizesOf(ctx, driver, volume) {
		return bytes
	}
	suite.Skip(suite.ByCapability, "no call returns the size of a volume: capacity_bytes is 0, which is allowed")
	return 0
}

// createOf requests a volume in the range, and returns nil if the driver does not support such a size, which is
// OUT_OF_RANGE. Another code fails the case by the clause.
func createOf(ctx context.Context, driver *harness.Driver, clause string, asked *csi.CapacityRange) *csi.Volume {
	request := creation(driver)
	request.CapacityRange = asked
	return createBy(ctx, driver, clause, request)
}

// expectRepeatedSize repeats the call that made a volume, as a CO does after a lost answer: csi-provisioner deletes a volume
// whose answer has fewer bytes than its claim. volume_same_name judges a refusal of the repeated call.
func expectRepeatedSize(ctx context.Context, driver *harness.Driver, request *csi.CreateVolumeRequest) {
	response, err := driver.Controller.CreateVolume(ctx, request)
	if bytes := response.GetVolume().GetCapacityBytes(); err == nil && bytes != 0 {
		expectBytes("CreateVolume when it was repeated", bytes, request.GetCapacityRange())
	}
}

// createBy is like createOf, for the request.
func createBy(ctx context.Context, driver *harness.Driver, clause string, request *csi.CreateVolumeRequest) *csi.Volume {
	asked := request.GetCapacityRange()
	response, err := driver.Controller.CreateVolume(ctx, request)
	if err == nil {
		expectInRange(ctx, driver, response.GetVolume(), asked)
		return response.GetVolume()
	}
	skipWithoutRoom(err)
	harness.ExpectRefused(ctx, clause, err, "a size that is not supported, as "+describe.Range(asked)+" may be, is OUT_OF_RANGE", codes.OutOfRange)
	return nil
}

// sizeAtLeastRequired requests a byte more than a multiple of the driver's unit.
func sizeAtLeastRequired() harness.Case {
	return harness.Case{
		ID:           "size_at_least_required",
		Text:         "creates a volume of required_bytes or more, or returns OUT_OF_RANGE",
		Requirements: []string{"CR-03", "CV-11", "CREATE-11"},
		Needs:        harness.Volumes(3),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := creation(driver)
			request.CapacityRange = &csi.CapacityRange{RequiredBytes: driver.Size() + 1}
			if createBy(ctx, driver, "CREATE-11", request) != nil {
				expectRepeatedSize(ctx, driver, request)
			}
			expectLimitOfMoreDigits(ctx, driver)
		},
	}
}

// expectLimitOfMoreDigits requests a volume in a range from the size of an existing volume to a limit of more digits. A
// driver that compares them as texts considers the limit the smaller one.
func expectLimitOfMoreDigits(ctx context.Context, driver *harness.Driver) {
	const ten = 10
	request := creation(driver)
	size, limit := mustCreate(ctx, driver, request).GetCapacityBytes(), ten*powerOfTen(driver.Size())
	asked := &csi.CapacityRange{RequiredBytes: driver.Size(), LimitBytes: limit}
	made := createOf(ctx, driver, "CREATE-11", asked)
	suite.Must("CREATE-11", made != nil || size == 0 || size > limit, "a volume of %d bytes was created for %s, and is in the range of %s, which is OUT_OF_RANGE", size, describe.Range(request.GetCapacityRange()), describe.Range(asked))
}

// sizeExact requests exactly the size of an existing volume, and exactly one byte more than other cases do, which must
// not be rounded up.
func sizeExact() harness.Case {
	return harness.Case{
		ID:           "size_exact",
		Text:         "creates a volume of exactly the requested size, or returns OUT_OF_RANGE",
		Requirements: []string{"CR-03", "CR-05", "CV-11", "CREATE-11"},
		Needs:        harness.Volumes(3),
		Run: func(ctx context.Context, driver *harness.Driver) {
			more := driver.Size() + 1
			createOf(ctx, driver, "CREATE-11", &csi.CapacityRange{RequiredBytes: more, LimitBytes: more})

			volume := mustCreate(ctx, driver, creation(driver))
			for _, bytes := range sizesOf(ctx, driver, volume) {
				exact := createOf(ctx, driver, "CREATE-11", &csi.CapacityRange{RequiredBytes: bytes, LimitBytes: bytes})
				suite.Should(ctx, "CR-03", exact != nil, "a volume has %d bytes, and no volume of exactly that size can be created", bytes)
				return
			}
		},
	}
}

func sizeLimitOnly() harness.Case {
	return harness.Case{
		ID:           "size_limit_only",
		Text:         "creates a volume of limit_bytes or less, or returns OUT_OF_RANGE",
		Requirements: []string{"CR-05", "CV-11", "CREATE-11"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			createOf(ctx, driver, "CREATE-11", &csi.CapacityRange{LimitBytes: driver.Size()})
		},
	}
}

// sizeOmitted leaves out capacity_range, which is OPTIONAL.
func sizeOmitted() harness.Case {
	return harness.Case{
		ID:           "size_omitted",
		Text:         "should choose a size when none is requested",
		Requirements: []string{"CV-10", "VOL-02"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := creation(driver)
			request.CapacityRange = nil
			response, err := driver.Controller.CreateVolume(ctx, request)

			if err != nil {
				skipWithoutRoom(err)
				harness.ExpectRefused(ctx, "CV-10", err, "CreateVolume without capacity_range failed")
				suite.Warn(ctx, "CV-10", "capacity_range is OPTIONAL, and CreateVolume without it is refused\ngot: %s", describe.Status(err))
				return
			}
			suite.Must("VOL-02", response.GetVolume().GetCapacityBytes() >= 0, "CreateVolume answered capacity_bytes %d, which must not be negative", response.GetVolume().GetCapacityBytes())
		},
	}
}

// sizeOfBlock checks a raw block device on a node. A file system uses a part of its volume for itself; a device has all of
// it.
func sizeOfBlock() harness.Case {
	return harness.Case{
		ID:           "size_of_block",
		Text:         "should present a block device of the requested size",
		Requirements: []string{"CV-06", "CR-03", "CR-05"},
		Needs:        harness.Needs(harness.Nodes(1), harness.Volumes(2), harness.NodeClaims(csi.NodeServiceCapability_RPC_GET_VOLUME_STATS), harness.Block(), harness.RealNodes()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			request := driver.CreateVolumeRequest(driver.VolumeFor(node))
			request.VolumeCapabilities = []*csi.VolumeCapability{driver.Block()}
			request.CapacityRange = &csi.CapacityRange{RequiredBytes: driver.Size(), LimitBytes: 2 * driver.Size()}
			volume := mustCreate(ctx, driver, request)
			expectInRange(ctx, driver, volume, request.GetCapacityRange())

			bytes, told := data.TotalBytes(ctx, node, publication.PublishJudged(ctx, node, volume, driver.Block(), publication.ExpectUsable(driver.Block())))
			if !told {
				suite.Skip(suite.ByCapability, "NodeGetVolumeStats returns no size of a block device")
			}
			suite.Should(ctx, "CV-06", request.GetCapacityRange().GetRequiredBytes() <= bytes && bytes <= request.GetCapacityRange().GetLimitBytes(),
				"CreateVolume was called with %s as a block device, and NodeGetVolumeStats returns %d bytes for it on %s: either the device or its statistics are wrong", describe.Range(request.GetCapacityRange()), bytes, node)
		},
	}
}
