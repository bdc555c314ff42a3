// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"
	"maps"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// validatingFields returns the cases about the fields that ValidateVolumeCapabilities validates in addition to capabilities.
// A plugin need not validate them, and returns the ones that it validated: the CO compares these with its request.
func validatingFields() []harness.Case {
	return []harness.Case{{
		ID:           "validate_parameters",
		Text:         "should confirm the parameters that a volume was created with, and not those of another kind",
		Requirements: []string{"VV-01", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Segments(2), harness.Volumes(2), harness.AccessibleFrom(2)),
		Run:          validateParameters,
	}, {
		ID:           "validate_unknown_fields",
		Text:         "should not confirm parameters, mutable_parameters or a volume_context that no volume has",
		Requirements: []string{"VV-01", "GEN-15", "GEN-16"},
		Needs:        harness.Volumes(1),
		Run:          validateUnknownFields,
	}}
}

func validateParameters(ctx context.Context, driver *harness.Driver) {
	plain, _ := driver.Profile().Parameters(1)
	both, _ := driver.Profile().Parameters(2)
	if maps.Equal(plain, both) {
		suite.Skip(suite.ByProfile, "volumes that are accessible from one topology and from two have the same parameters")
	}
	one := driver.NeedVolume(ctx, driver.Volume(1))
	two := driver.NeedVolume(ctx, driver.Volume(2).Within(driver.Z2, driver.Z3))
	for _, created := range []struct {
		volume     *csi.Volume
		own, other map[string]string
	}{{one, plain, both}, {two, both, plain}} {
		request := validation.Request(driver, created.volume, driver.CapabilityOf(created.volume))
		if len(created.own) > 0 {
			request.Parameters = created.own
			answer, err := driver.Controller.ValidateVolumeCapabilities(ctx, request)
			harness.ExpectOKOrRefused(ctx, "VV-01", err, "the volume was created with the parameters")
			suite.Should(ctx, "VV-01", answer.GetConfirmed() != nil, "volume %s was created with the parameters %v, and ValidateVolumeCapabilities does not confirm them: %q %s",
				created.volume.GetVolumeId(), created.own, answer.GetMessage(), describe.Status(err))
		}
		if foreign := maps.Clone(created.other); len(foreign) > 0 {
			maps.DeleteFunc(foreign, func(key, value string) bool { return created.own[key] == value })
			request.Parameters = created.other
			shouldNotConfirm(ctx, driver, request, foreign, (*confirmed).GetParameters, "parameters")
		}
	}
}

func validateUnknownFields(ctx context.Context, driver *harness.Driver) {
	volume := driver.NeedVolume(ctx, driver.Volume(1))
	unknown := map[string]string{"csi-topo-no-such-key": "1"}

	request := validation.Request(driver, volume, driver.Capability())
	request.Parameters = maps.Clone(unknown)
	maps.Copy(request.GetParameters(), driver.Made.Parameters(volume.GetVolumeId()))
	shouldNotConfirm(ctx, driver, request, unknown, (*confirmed).GetParameters, "parameters")

	request = validation.Request(driver, volume, driver.Capability())
	request.VolumeContext = maps.Clone(unknown)
	maps.Copy(request.GetVolumeContext(), volume.GetVolumeContext())
	shouldNotConfirm(ctx, driver, request, unknown, (*confirmed).GetVolumeContext, "volume_context")

	if driver.Claims(csi.ControllerServiceCapability_RPC_MODIFY_VOLUME) {
		request = validation.Request(driver, volume, driver.Capability())
		request.MutableParameters = unknown
		shouldNotConfirm(ctx, driver, request, unknown, (*confirmed).GetMutableParameters, "mutable_parameters")
	}
}

type confirmed = csi.ValidateVolumeCapabilitiesResponse_Confirmed

// shouldNotConfirm warns if the plugin confirms values that do not belong to the volume.
func shouldNotConfirm(ctx context.Context, driver *harness.Driver, request *csi.ValidateVolumeCapabilitiesRequest, foreign map[string]string, field func(*confirmed) map[string]string, name string) {
	answer, err := driver.Controller.ValidateVolumeCapabilities(ctx, request)

	harness.ExpectOKOrRefused(ctx, "VV-01", err, "the "+name+" are not those of the volume")
	for key, value := range foreign {
		got, found := field(answer.GetConfirmed())[key]
		suite.Should(ctx, "VV-01", !found || got != value, "volume %s does not have %s=%s, and ValidateVolumeCapabilities confirms it, instead of leaving it out of confirmed.%s",
			request.GetVolumeId(), key, value, name)
	}
}
