// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// kindsOfVolume returns the cases about volume_capabilities and parameters: the capacity is for such volumes.
func kindsOfVolume() []harness.Case {
	return []harness.Case{capacityForCapabilities(), capacityForUnsupportedCapabilities(), capacityForEachKind(), capacityForRefusedParameters(), capacityWithSidecarParameters()}
}

// capacityForCapabilities requests the capabilities that the profile says volumes have, and creates such a volume.
func capacityForCapabilities() harness.Case {
	return harness.Case{
		ID:           "capacity_for_capabilities",
		Text:         "returns room for the capabilities of a volume that can be created",
		Requirements: []string{"CAP-02", "CAP-11", "CAP-15"},
		Needs:        harness.Needs(harness.Volumes(2), harness.TrackedCapacity()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			capabilities := []*csi.VolumeCapability{driver.Capability()}
			if driver.Profile().HasMount() && driver.Profile().Block {
				capabilities = append(capabilities, driver.Block())
			}
			suite.Each(capabilities, func(capability *csi.VolumeCapability) {
				request := driver.Room.Request(driver.Z2)
				request.VolumeCapabilities = []*csi.VolumeCapability{capability}
				told := mustGetRoom(ctx, driver, request, driver.Size())
				driver.NeedVolume(ctx, volumeIn(driver, 1, driver.Z2), capability)
				expectRoom(ctx, "CAP-02", driver, request, told, driver.Size())
			})
		},
	}
}

// capacityForUnsupportedCapabilities requests capabilities that CreateVolume refuses, alone and together with one that
// volumes have: the capacity is for volumes that satisfy ALL of them. Few drivers check that.
func capacityForUnsupportedCapabilities() harness.Case {
	return harness.Case{
		ID:           "capacity_for_unsupported_capabilities",
		Text:         "should return no capacity for capabilities that CreateVolume refuses",
		Requirements: []string{"CAP-02", "CAP-11", "CAP-15", "CAP-26", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Volumes(3), harness.TrackedCapacity()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			refused := refusedCapabilities(ctx, driver)
			if len(refused) == 0 {
				suite.Skip(suite.ByCapability, "CreateVolume accepts every capability that the case tries")
			}
			suite.Each(refused, func(capability *csi.VolumeCapability) {
				for _, all := range [][]*csi.VolumeCapability{{capability}, {driver.Capability(), capability}} {
					request := driver.Room.Request(driver.Z2)
					request.VolumeCapabilities = all
					expectNone(ctx, "CAP-02", false, driver, request, "CreateVolume refuses "+describe.Capability(capability))
				}
			})
		},
	}
}

// refusedCapabilities returns the capabilities that CreateVolume refuses with INVALID_ARGUMENT, of some that few
// drivers support.
func refusedCapabilities(ctx context.Context, driver *harness.Driver) []*csi.VolumeCapability {
	var refused []*csi.VolumeCapability
	for _, tried := range validation.Unlikely(driver) {
		request := driver.CreateVolumeRequest(volumeIn(driver, 1, driver.Z2))
		request.VolumeCapabilities = []*csi.VolumeCapability{tried}
		if _, err := driver.Controller.CreateVolume(ctx, request); status.Code(err) == codes.InvalidArgument {
			refused = append(refused, tried)
		}
	}
	return refused
}

// capacityForEachKind requests the parameters of each kind of volume in the profile, and creates such a volume.
func capacityForEachKind() harness.Case {
	return harness.Case{
		ID:           "capacity_for_each_kind",
		Text:         "returns room for every kind of volume that can be created",
		Requirements: []string{"CAP-04", "CAP-11", "CAP-15"},
		Needs:        harness.Needs(harness.Volumes(2), harness.TrackedCapacity()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			suite.Each(kinds(driver), func(x int) {
				request := requestFor(driver, x, driver.Z2)
				told := mustGetRoom(ctx, driver, request, driver.Size())
				if answer := creation.Create(ctx, driver, volumeIn(driver, x, driver.Z2)); answer.Code == codes.OK {
					expectRoom(ctx, "CAP-04", driver, request, told, driver.Size())
				}
			})
		},
	}
}

// capacityForRefusedParameters requests a parameter that CreateVolume refuses. Drivers are well advised to be lenient here,
// because Kubernetes leaves its own keys in the parameters.
func capacityForRefusedParameters() harness.Case {
	return harness.Case{
		ID:           "capacity_for_refused_parameters",
		Text:         "should return no capacity for parameters that CreateVolume refuses",
		Requirements: []string{"CAP-04", "CAP-11", "CAP-26", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Volumes(1), harness.TrackedCapacity()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			creation := driver.CreateVolumeRequest(volumeIn(driver, 1, driver.Z2))
			creation.Parameters = withParameter(creation.GetParameters(), "csi-topo-no-such-parameter", "csi-topo")
			if _, err := driver.Controller.CreateVolume(ctx, creation); status.Code(err) != codes.InvalidArgument {
				suite.Skip(suite.ByCapability, "CreateVolume does not return INVALID_ARGUMENT for a parameter that no driver has")
			}
			request := driver.Room.Request(driver.Z2)
			request.Parameters = creation.GetParameters()
			expectNone(ctx, "CAP-04", false, driver, request, "CreateVolume refuses these parameters")
		},
	}
}

// capacityWithSidecarParameters adds a key that external-provisioner strips from the parameters of CreateVolume, but
// not of GetCapacity. A driver may refuse unknown keys; its users then have no CSIStorageCapacity.
func capacityWithSidecarParameters() harness.Case {
	return harness.Case{
		ID:           "capacity_with_sidecar_parameters",
		Text:         "should return the same capacity with the keys that external-provisioner leaves in the parameters",
		Requirements: []string{"CAP-04", "CAP-05"},
		Needs:        claimed(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := driver.Room.Request(driver.Z2)
			want := mustGet(ctx, driver, request)
			request.Parameters = withParameter(request.GetParameters(), "csi.storage.k8s.io/fstype", driver.Profile().FsType)

			got, err := driver.Controller.GetCapacity(ctx, request)
			switch {
			case err != nil:
				suite.Warn(ctx, "CAP-04", "external-provisioner leaves csi.storage.k8s.io/fstype in the parameters of GetCapacity, which then fails\ngot: %s", describe.Status(err))
			case got.GetAvailableCapacity() == 0 && want.GetAvailableCapacity() > 0:
				suite.Warn(ctx, "CAP-04", "external-provisioner leaves csi.storage.k8s.io/fstype in the parameters of GetCapacity, which then answers 0 bytes instead of %d", want.GetAvailableCapacity())
			}
		},
	}
}
