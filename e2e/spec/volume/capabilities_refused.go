// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// capabilitiesOneUnsupported combines a capability that CreateVolume refuses with one that it supports. If it refuses none, the
// access mode is one that no version of the specification has, which a driver may ignore.
func capabilitiesOneUnsupported() harness.Case {
	return harness.Case{
		ID:           "capabilities_one_unsupported",
		Text:         "refuses a volume if one of several volume_capabilities is not supported",
		Requirements: []string{"CV-13", "CV-16", "CREATE-01", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			for _, tried := range validation.Unlikely(driver) {
				alone := creation(driver)
				alone.VolumeCapabilities = []*csi.VolumeCapability{tried}
				if response, err := driver.Controller.CreateVolume(ctx, alone); status.Code(err) != codes.InvalidArgument {
					if err == nil {
						deletion.Need(ctx, driver, response.GetVolume())
					}
					continue
				}
				request := creation(driver)
				request.VolumeCapabilities = append(request.VolumeCapabilities, tried)
				expectRefused(ctx, driver, request, "CV-16", "the second of the volume_capabilities is refused on its own, and one that is not supported fails the call: INVALID_ARGUMENT", codes.InvalidArgument)
				return
			}
			const unheardOf = csi.VolumeCapability_AccessMode_Mode(1000)
			request := creation(driver)
			request.VolumeCapabilities = append(request.VolumeCapabilities, inMode(driver, unheardOf))
			if _, err := driver.Controller.CreateVolume(ctx, request); err != nil {
				harness.ExpectRefused(ctx, "GEN-12", err, "an access mode that the specification does not have is INVALID_ARGUMENT", codes.InvalidArgument)
				return
			}
			suite.Warn(ctx, "CV-16", "CreateVolume accepted an access mode that the specification does not have: that hides a mistake of the caller")
		},
	}
}

// capabilitiesFileSystem requests a file system that does not exist. A file system that CreateVolume refuses is not
// supported, and must not be confirmed.
func capabilitiesFileSystem() harness.Case {
	return harness.Case{
		ID:           "capabilities_file_system",
		Text:         "does not confirm a file system that it refuses to create a volume with",
		Requirements: []string{"CV-12", "VV-01"},
		Needs:        harness.Needs(harness.Volumes(1), harness.Mount()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			unheardOf := driver.Mount()
			unheardOf.GetMount().FsType = "no-such-file-system"
			request := creation(driver)
			request.VolumeCapabilities = []*csi.VolumeCapability{unheardOf}
			response, err := driver.Controller.CreateVolume(ctx, request)
			if err == nil {
				suite.Should(ctx, "CV-12", isConfirmed(ctx, driver, response.GetVolume(), unheardOf),
					"CreateVolume accepted the file system %s, and ValidateVolumeCapabilities does not confirm it", unheardOf.GetMount().GetFsType())
				return
			}
			if status.Code(err) != codes.InvalidArgument {
				suite.Reduced(ctx, "CreateVolume was refused, which does not say that the file system is not supported: %s", describe.Status(err))
				return
			}

			volume := mustCreate(ctx, driver, creation(driver))
			suite.Must("VV-01", !isConfirmed(ctx, driver, volume, unheardOf),
				"ValidateVolumeCapabilities confirms only what is supported, and confirms %s for volume %s; CreateVolume refuses to create a volume with it", unheardOf, volume.GetVolumeId())
		},
	}
}

// isConfirmed reports whether ValidateVolumeCapabilities confirms that the volume has the capability.
func isConfirmed(ctx context.Context, driver *harness.Driver, volume *csi.Volume, capability *csi.VolumeCapability) bool {
	response, err := driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, volume, capability))
	return err == nil && response.GetConfirmed() != nil
}

// capabilitiesEachMode requests each access mode. The modes that distinguish writers on one node need
// SINGLE_NODE_MULTI_WRITER.
func capabilitiesEachMode() harness.Case {
	return harness.Case{
		ID:           "capabilities_each_mode",
		Text:         "creates a volume with an access mode, and should confirm it, or returns INVALID_ARGUMENT",
		Requirements: []string{"CV-12", "CV-13", "CV-16", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			modes := []csi.VolumeCapability_AccessMode_Mode{
				writer,
				readerOnly,
				csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY,
				csi.VolumeCapability_AccessMode_MULTI_NODE_SINGLE_WRITER,
				csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER,
			}
			if driver.Claims(csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER) {
				modes = append(modes, csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER, csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER)
			}
			suite.Each(modes, func(mode csi.VolumeCapability_AccessMode_Mode) {
				request := creation(driver)
				request.VolumeCapabilities = []*csi.VolumeCapability{inMode(driver, mode)}
				response, err := driver.Controller.CreateVolume(ctx, request)

				if err != nil {
					skipWithoutRoom(err)
					harness.ExpectRefused(ctx, "CV-16", err, "an access mode that is not supported, as "+mode.String()+" may be, is INVALID_ARGUMENT", codes.InvalidArgument)
					return
				}
				warnUnlessConfirmed(ctx, driver, response.GetVolume(), "CV-12", request.GetVolumeCapabilities()...)
				deletion.Need(ctx, driver, response.GetVolume())
			})
		},
	}
}
