// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"maps"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// mutable returns the cases about mutable_parameters. Only ValidateVolumeCapabilities shows the mutable parameters of a
// volume, if it confirms them for one volume and not for another.
func mutable() []harness.Case {
	return []harness.Case{mutableAtCreation(), mutableOverParameters(), mutableKept(), modifyVolume(), modifyCutShort(), modifyAbsentKeys(), modifyUnsupported(), modifyKeepsTheRest(), modifyUnknownVolume()}
}

// mutableNeeds returns the needs of a case that uses the profile's mutable parameters.
func mutableNeeds() []harness.Need {
	return harness.Needs(harness.Volumes(2), harness.Claims(csi.ControllerServiceCapability_RPC_MODIFY_VOLUME), harness.Mutable())
}

// modification requests the mutable parameters of the profile.
func modification(driver *harness.Driver, volume *csi.Volume) *csi.ControllerModifyVolumeRequest {
	return &csi.ControllerModifyVolumeRequest{
		VolumeId:          volume.GetVolumeId(),
		MutableParameters: maps.Clone(driver.Profile().MutableParameters),
		Secrets:           driver.Profile().Secrets.ControllerModifyVolume,
	}
}

// mutableCreation requests a volume with the mutable parameters of the profile.
func mutableCreation(driver *harness.Driver) *csi.CreateVolumeRequest {
	request := creation(driver)
	request.MutableParameters = driver.Profile().MutableParameters
	return request
}

// confirmsMutable reports whether ValidateVolumeCapabilities confirms that the volume has the profile's mutable
// parameters. They take precedence over the parameters that it was created with.
func confirmsMutable(ctx context.Context, driver *harness.Driver, volume *csi.Volume) bool {
	question := validation.Request(driver, volume, driver.Capability())
	question.MutableParameters = driver.Profile().MutableParameters
	maps.DeleteFunc(question.GetParameters(), func(key, _ string) bool { _, mutable := question.GetMutableParameters()[key]; return mutable })
	return harness.NeedOK(driver.Controller.ValidateVolumeCapabilities(ctx, question)).GetConfirmed() != nil
}

// confirmsPlain reports whether ValidateVolumeCapabilities confirms the capability of the volume, without any parameters.
func confirmsPlain(ctx context.Context, driver *harness.Driver, volume *csi.Volume) bool {
	question := validation.Request(driver, volume, driver.Capability())
	question.Parameters = nil // which may have values from before a modification
	return harness.NeedOK(driver.Controller.ValidateVolumeCapabilities(ctx, question)).GetConfirmed() != nil
}

// expectMutable fails the case by the clause if ValidateVolumeCapabilities does not confirm the mutable parameters of the
// volume, though it does for another volume, which got them in another way. If it confirms them for any volume, the case is
// reduced.
func expectMutable(ctx context.Context, driver *harness.Driver, volume *csi.Volume, confirmsOfAny bool, clause, why string, otherwise func() *csi.Volume) {
	if confirmsMutable(ctx, driver, volume) {
		if confirmsOfAny {
			suite.Reduced(ctx, "ValidateVolumeCapabilities confirms mutable parameters of any volume, so that nothing shows what a volume has")
		}
		return
	}
	if confirmsMutable(ctx, driver, otherwise()) {
		suite.Fail(clause, "%s, and ValidateVolumeCapabilities does not confirm its mutable parameters, as it does for another volume", why)
	}
	suite.Reduced(ctx, "ValidateVolumeCapabilities confirms mutable parameters of no volume, so that nothing shows what a volume has")
}

// modified returns a volume that got the mutable parameters by ControllerModifyVolume.
func modified(ctx context.Context, driver *harness.Driver) *csi.Volume {
	volume := mustCreate(ctx, driver, creation(driver))
	harness.NeedOK(driver.Controller.ControllerModifyVolume(ctx, modification(driver, volume)))
	return volume
}

// mutableAtCreation creates a volume with mutable_parameters, twice.
func mutableAtCreation() harness.Case {
	return harness.Case{
		ID:           "mutable_at_creation",
		Text:         "creates a volume with mutable_parameters",
		Requirements: []string{"CV-02", "CV-03", "CV-04"},
		Needs:        mutableNeeds(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			ofAny := confirmsMutable(ctx, driver, mustCreate(ctx, driver, creation(driver)))
			request := mutableCreation(driver)
			response, err := driver.Controller.CreateVolume(ctx, request)

			skipWithoutRoom(err)
			harness.ExpectOK("CV-04", err, "MODIFY_VOLUME is claimed, and CreateVolume accepts the profile's mutable parameters too")
			expectMutable(ctx, driver, response.GetVolume(), ofAny, "CV-04", "the volume was created with mutable_parameters", func() *csi.Volume { return modified(ctx, driver) })
			expectRepeated(ctx, driver, request, response.GetVolume(), "CreateVolume with mutable_parameters was repeated")
		},
	}
}

// mutableOverParameters puts each key in parameters too, with a value that no driver supports. A driver may refuse
// that.
func mutableOverParameters() harness.Case {
	return harness.Case{
		ID:           "mutable_over_parameters",
		Text:         "lets mutable_parameters take precedence over parameters",
		Requirements: []string{"CV-04", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        mutableNeeds(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			ofAny := confirmsMutable(ctx, driver, mustCreate(ctx, driver, creation(driver)))
			request := mutableCreation(driver)
			parameters := map[string]string{}
			for key := range request.GetMutableParameters() {
				parameters[key] = "csi-topo-overridden"
			}
			maps.Copy(parameters, request.GetParameters())
			request.Parameters = parameters
			response, err := driver.Controller.CreateVolume(ctx, request)

			if err != nil {
				skipWithoutRoom(err)
				harness.ExpectRefused(ctx, "GEN-12", err, "a key that may only be in mutable_parameters is INVALID_ARGUMENT in parameters", codes.InvalidArgument)
				return
			}
			expectMutable(ctx, driver, response.GetVolume(), ofAny, "CV-04", "the volume was created with keys that are in parameters and mutable_parameters", func() *csi.Volume { return modified(ctx, driver) })
		},
	}
}
