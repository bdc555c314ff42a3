// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/calls"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// modifyVolume modifies a volume, twice.
func modifyVolume() harness.Case {
	return harness.Case{
		ID:           "modify_volume",
		Text:         "modifies a volume, returns OK when ControllerModifyVolume is repeated, and should return the volume for its name and its new mutable_parameters",
		Requirements: []string{"MV-01", "MV-02", "VV-01", "CV-03"},
		Needs:        mutableNeeds(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := creation(driver)
			volume := mustCreate(ctx, driver, request)
			ofAny, confirmed := confirmsMutable(ctx, driver, volume), confirmsPlain(ctx, driver, volume)

			for _, call := range []struct{ clause, why string }{
				{"MV-01", "MODIFY_VOLUME is claimed, and ControllerModifyVolume was called with the profile's mutable parameters"},
				{"MV-02", "ControllerModifyVolume was repeated, and is idempotent"},
			} {
				_, err := driver.Controller.ControllerModifyVolume(ctx, modification(driver, volume))
				harness.ExpectOK(call.clause, err, call.why)
				expectMutable(ctx, driver, volume, ofAny, call.clause, call.why, func() *csi.Volume { return mustCreate(ctx, driver, mutableCreation(driver)) })
			}
			suite.Should(ctx, "VV-01", !confirmed || confirmsPlain(ctx, driver, volume), "ValidateVolumeCapabilities confirmed the capability of the volume before ControllerModifyVolume, and no longer does, though mutable_parameters are OPTIONAL")
			request.MutableParameters = driver.Profile().MutableParameters
			_, err := driver.Controller.CreateVolume(ctx, request)
			suite.Should(ctx, "CV-03", status.Code(err) != codes.AlreadyExists, "the volume was modified, and CreateVolume of its name with the mutable_parameters that it has now should return it\ngot: %s", describe.Status(err))
		},
	}
}

// modifyCutShort cancels the call and repeats it, as a CO does after a timeout.
func modifyCutShort() harness.Case {
	return harness.Case{
		ID:           "modify_cut_short",
		Text:         "finishes a modification when ControllerModifyVolume is cut short and repeated",
		Requirements: []string{"MV-02", "GEN-07"},
		Needs:        mutableNeeds(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := mustCreate(ctx, driver, creation(driver))
			ofAny := confirmsMutable(ctx, driver, volume)

			_, err := calls.CutShort(ctx, driver, func(ctx context.Context) (*csi.ControllerModifyVolumeResponse, error) {
				return driver.Controller.ControllerModifyVolume(ctx, modification(driver, volume))
			})

			const why = "ControllerModifyVolume was cut short and repeated"
			harness.ExpectOK("MV-02", err, why+": a call that is repeated continues where it left off")
			expectMutable(ctx, driver, volume, ofAny, "MV-02", why, func() *csi.Volume { return mustCreate(ctx, driver, mutableCreation(driver)) })
		},
	}
}

// modifyAbsentKeys modifies one key of a volume that was created with several: the others stay.
func modifyAbsentKeys() harness.Case {
	return harness.Case{
		ID:           "modify_absent_keys",
		Text:         "does not change mutable parameters that ControllerModifyVolume does not name",
		Requirements: []string{"MV-06"},
		Needs:        mutableNeeds(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			keys := slices.Sorted(maps.Keys(driver.Profile().MutableParameters))
			if len(keys) < 2 {
				suite.Skip(suite.ByProfile, "the profile names one mutable parameter, and the case needs two")
			}
			volume := mustCreate(ctx, driver, mutableCreation(driver))
			if !confirmsMutable(ctx, driver, volume) || confirmsMutable(ctx, driver, mustCreate(ctx, driver, creation(driver))) {
				suite.Skip(suite.ByCapability, "ValidateVolumeCapabilities does not show which mutable parameters a volume has")
			}
			for _, key := range keys {
				request := modification(driver, volume)
				maps.DeleteFunc(request.GetMutableParameters(), func(other, _ string) bool { return other != key })
				harness.NeedOK(driver.Controller.ControllerModifyVolume(ctx, request))
				suite.Must("MV-06", confirmsMutable(ctx, driver, volume),
					"ControllerModifyVolume named %s with the value that the volume had, and ValidateVolumeCapabilities no longer confirms its mutable parameters: those that are not named must not change", key)
			}
		},
	}
}

func modifyUnknownVolume() harness.Case {
	return harness.Case{
		ID:           "modify_unknown_volume",
		Text:         "returns NOT_FOUND for a volume that was deleted",
		Requirements: []string{"MV-05", "GEN-15", "GEN-16"},
		Needs:        mutableNeeds(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := deletion.Volume(ctx, driver)

			deletion.ExpectUnknown(ctx, driver, "MV-05", volume, "ControllerModifyVolume", func() error {
				_, err := driver.Controller.ControllerModifyVolume(ctx, modification(driver, volume))
				return err
			})
		},
	}
}
