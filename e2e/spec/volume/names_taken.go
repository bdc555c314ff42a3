// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// namesTaken returns the cases about names of existing volumes: the volume must be returned if it satisfies the request.
func namesTaken() []harness.Case {
	return []harness.Case{nameTakenLarger(), nameTakenSmaller(), nameTakenCompatible(), nameTakenParameters(), nameTakenMutable(), nameTakenCapabilities(), nameFreeAfterDeletion(), nameOfDeleted()}
}

// nameTakenLarger requests more than the size of the volume of the name. There may also be no room for it, or it may be out
// of range.
func nameTakenLarger() harness.Case {
	return harness.Case{
		ID:           "name_taken_larger",
		Text:         "refuses a name whose volume is smaller than required_bytes",
		Requirements: []string{"CREATE-02", "CREATE-06", "GEN-15", "GEN-16"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := creation(driver)
			size := mustKnowSize(ctx, driver, mustCreate(ctx, driver, request))

			request.CapacityRange = &csi.CapacityRange{RequiredBytes: size + driver.Size()}
			expectRefused(ctx, driver, request, "CREATE-06", fmt.Sprintf("the volume of the name has %d bytes, fewer than %s: ALREADY_EXISTS", size, describe.Range(request.GetCapacityRange())),
				codes.AlreadyExists, codes.OutOfRange, codes.ResourceExhausted)
		},
	}
}

// nameTakenSmaller requests less than the size of the volume of the name. The size is the same as in other cases, because a
// smaller one may be OUT_OF_RANGE.
func nameTakenSmaller() harness.Case {
	return harness.Case{
		ID:           "name_taken_smaller",
		Text:         "refuses a name whose volume is larger than limit_bytes",
		Requirements: []string{"CREATE-02", "CREATE-06", "GEN-15", "GEN-16"},
		Needs:        harness.Volumes(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := creation(driver)
			request.CapacityRange = &csi.CapacityRange{RequiredBytes: 2 * driver.Size()}
			size := fmt.Sprintf("was created for %s", describe.Range(request.GetCapacityRange()))
			if bytes := mustCreate(ctx, driver, request).GetCapacityBytes(); bytes > 0 {
				size = fmt.Sprintf("has %d bytes", bytes)
			}

			request.CapacityRange = &csi.CapacityRange{LimitBytes: driver.Size()}
			expectRefused(ctx, driver, request, "CREATE-06", fmt.Sprintf("the volume of the name %s, more than %s: ALREADY_EXISTS", size, describe.Range(request.GetCapacityRange())),
				codes.AlreadyExists, codes.OutOfRange)
		},
	}
}

func nameTakenCompatible() harness.Case {
	return harness.Case{
		ID:           "name_taken_compatible",
		Text:         "returns the volume of the name if its size is in the new range",
		Requirements: []string{"CV-02", "CV-03", "CREATE-06"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := creation(driver)
			volume := mustCreate(ctx, driver, request)
			size := mustKnowSize(ctx, driver, volume)

			const compatible = "a volume of the name exists, and its size is compatible with "
			request.CapacityRange = &csi.CapacityRange{RequiredBytes: driver.Size(), LimitBytes: size + driver.Size()}
			expectRepeated(ctx, driver, request, volume, compatible+describe.Range(request.GetCapacityRange()))
			request.CapacityRange = &csi.CapacityRange{RequiredBytes: size, LimitBytes: size}
			if _, err := driver.Controller.CreateVolume(ctx, request); status.Code(err) != codes.OutOfRange { // an exact size may be
				expectRepeated(ctx, driver, request, volume, compatible+describe.Range(request.GetCapacityRange()))
			}
		},
	}
}

// nameTakenParameters requests the profile's otherParameters, or the parameters of volumes of two topologies.
func nameTakenParameters() harness.Case {
	return harness.Case{
		ID:           "name_taken_parameters",
		Text:         "refuses a name whose volume has other parameters",
		Requirements: []string{"CREATE-02", "CREATE-06", "GEN-15", "GEN-16"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := driver.CreateVolumeRequest(driver.Volume(1).Within(driver.Zones(2)...)) // enough for either kind
			other, mode := driver.Profile().OtherParameters, driver.Profile().Plain().Mode()
			if ofTwo, found := driver.Profile().Kind(2); len(other) == 0 && found && len(driver.Segments()) >= 2 && driver.Room.Makes(2, driver.Zones(2)...) {
				other, mode = ofTwo.Parameters, ofTwo.Mode()
			}
			if len(other) == 0 {
				suite.Skip(suite.ByProfile, "the profile names no parameters of another kind of volume (otherParameters)")
			}
			mustCreate(ctx, driver, request)

			request.Parameters, request.VolumeCapabilities = other, []*csi.VolumeCapability{inMode(driver, mode)}
			expectRefused(ctx, driver, request, "CREATE-06", "the volume of the name has other parameters: ALREADY_EXISTS", codes.AlreadyExists, codes.ResourceExhausted)
		},
	}
}

// nameTakenMutable requests mutable_parameters that the volume of the name does not have. The code is not specified; a
// volume that does not have them does not satisfy the request.
func nameTakenMutable() harness.Case {
	return harness.Case{
		ID:           "name_taken_mutable",
		Text:         "should refuse a name whose volume has other mutable_parameters",
		Requirements: []string{"CV-03", "CV-04", "CV-07", "CREATE-06", "GEN-15", "GEN-16"},
		Needs:        mutableNeeds(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := creation(driver)
			volume := mustCreate(ctx, driver, request)
			if confirmsMutable(ctx, driver, volume) {
				suite.Skip(suite.ByCapability, "ValidateVolumeCapabilities confirms the profile's mutable parameters of a volume that was created without them")
			}

			request.MutableParameters = driver.Profile().MutableParameters
			response, err := driver.Controller.CreateVolume(ctx, request)

			if err != nil {
				harness.ExpectRefused(ctx, "CREATE-01", err, "the volume of the name has other mutable_parameters")
				return
			}
			suite.Should(ctx, "CV-07", response.GetVolume().GetVolumeId() == volume.GetVolumeId(), "CreateVolume answered volume %s and %s for one name", volume.GetVolumeId(), response.GetVolume().GetVolumeId())
			suite.Should(ctx, "CREATE-06", confirmsMutable(ctx, driver, response.GetVolume()), "the volume of the name does not have the mutable_parameters, as ValidateVolumeCapabilities says, and CreateVolume answered OK")
		},
	}
}

// nameTakenCapabilities requests a raw block device if the volume of the name has a file system. A volume may be usable
// as both.
func nameTakenCapabilities() harness.Case {
	return harness.Case{
		ID:           "name_taken_capabilities",
		Text:         "returns the volume of the name only if it has the volume_capabilities",
		Requirements: []string{"CV-02", "CV-12", "CREATE-02", "CREATE-06", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Volumes(1), harness.Mount(), harness.Block()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := creation(driver)
			mustCreate(ctx, driver, request)

			request.VolumeCapabilities = []*csi.VolumeCapability{driver.Block()}
			response, err := driver.Controller.CreateVolume(ctx, request)
			if err != nil {
				harness.ExpectRefused(ctx, "CREATE-06", err, "a volume of the name that is not a raw block device is ALREADY_EXISTS", codes.AlreadyExists)
				return
			}
			warnUnlessConfirmed(ctx, driver, response.GetVolume(), "CREATE-06", driver.Block())
		},
	}
}

// nameFreeAfterDeletion requests another volume under the name of one that was deleted. The specification does not say how
// soon a name is free. Volumes with a name that is the beginning of it, or that begins with it, keep their names.
func nameFreeAfterDeletion() harness.Case {
	return harness.Case{
		ID:           "name_free_after_deletion",
		Text:         "creates another volume with the name of a deleted one, and returns the volumes of similar names",
		Requirements: []string{"CV-03", "CREATE-06", "CR-03"},
		Needs:        harness.Volumes(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request, longer, shorter := creation(driver), creation(driver), creation(driver)
			request.Name, longer.Name = shorter.GetName()+"a", shorter.GetName()+"ab"
			first := mustCreate(ctx, driver, request)
			similar := []*csi.CreateVolumeRequest{longer, shorter}
			var others []*csi.Volume
			for _, other := range similar {
				response, err := driver.Controller.CreateVolume(ctx, other)
				if status.Code(err) == codes.ResourceExhausted {
					suite.Reduced(ctx, "there is no room for other volumes, with similar names: %s", describe.Status(err))
					break
				}
				others = append(others, harness.NeedOK(response, err).GetVolume())
			}
			deletion.Need(ctx, driver, first)
			for i, volume := range others {
				expectRepeated(ctx, driver, similar[i], volume, fmt.Sprintf("the volume of the name %q exists, and the one that was deleted had the name %q", similar[i].GetName(), request.GetName()))
				deletion.Need(ctx, driver, volume)
			}

			request.CapacityRange = &csi.CapacityRange{RequiredBytes: 2 * driver.Size()}
			var response *csi.CreateVolumeResponse
			var err error
			driver.Settled(ctx, effect.FreeName, func() bool {
				response, err = driver.Controller.CreateVolume(ctx, request)
				return err == nil
			})
			if err == nil {
				expectInRange(ctx, driver, response.GetVolume(), request.GetCapacityRange())
				return
			}
			skipWithoutRoom(err)
			gone := driver.ListsVolumes() && listing.Volume(ctx, driver, first.GetVolumeId()) == nil
			if isTaken(err) && gone {
				suite.Fail("CREATE-06", "the volume of the name was deleted, and is no longer listed: nothing is left for which ALREADY_EXISTS is right\ngot: %s", describe.Status(err))
			}
			suite.Warn(ctx, "CREATE-06", "the volume of the name was deleted, and the name cannot be used again\ngot: %s", describe.Status(err))
		},
	}
}
