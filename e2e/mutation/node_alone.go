// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
)

// NodeAlone makes of a driver one that has the services Identity and Node alone, for volumes that somebody else provisions. Its
// profile names a volume that exists.
func NodeAlone(d Driver) Driver {
	lacks := slices.Concat([]protoreflect.Enum{csi.PluginCapability_Service_CONTROLLER_SERVICE}, Topology)
	for number := range csi.ControllerServiceCapability_RPC_Type_name {
		lacks = append(lacks, csi.ControllerServiceCapability_RPC_Type(number))
	}
	d.Options, d.Fault = InOneSegment, d.Fault.Over(Lacking(lacks...))
	d.Running = func(driver *embedded.Driver, target *harness.Target) {
		target.Controller = target.Nodes[0] // where there is no Controller service
		if err := nameExisting(driver.Controller, target); err != nil {
			panic(fmt.Errorf("making the volume that exists: %w", err))
		}
	}
	return d
}

// nameExisting has the profile name a volume that was made beforehand, as one that is pre-provisioned.
func nameExisting(controller string, target *harness.Target) error {
	conn, err := wire.Dial(controller)
	if err != nil {
		return err
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), target.Timeouts.Provision)
	defer cancel()
	made, err := csi.NewControllerClient(conn).CreateVolume(ctx, &csi.CreateVolumeRequest{
		Name: "existing", CapacityRange: &csi.CapacityRange{RequiredBytes: target.Profile.VolumeBytes},
		VolumeCapabilities: []*csi.VolumeCapability{{
			AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
			AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
		}},
	})
	if err != nil {
		return err
	}
	target.Profile.ExistingVolume = &profile.ExistingVolume{VolumeHandle: made.GetVolume().GetVolumeId(), VolumeAttributes: made.GetVolume().GetVolumeContext()}
	return nil
}
