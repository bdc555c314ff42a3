// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Volume needs one volume to use: a volume that the case makes, or the profile's if the driver makes none. A case with
// this need gets the volume from NeedVolume. A case that requests the volume itself is skipped if the driver makes
// none.
func Volume() []Need {
	return need("volume", suite.ByCapability, func(d *Driver) string {
		if d.usesExisting() {
			return ""
		}
		d.demand.volumes = max(d.demand.volumes, 1)
		return unless(d.creates(), "ControllerGetCapabilities does not list CREATE_DELETE_VOLUME, and the profile has no existingVolume")
	})
}

func (d *Driver) creates() bool {
	return d.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME)
}

// usesExisting reports whether NeedVolume returns the profile's volume.
func (d *Driver) usesExisting() bool {
	return d.Profile().ExistingVolume != nil && !d.creates()
}

// HasVolume reports whether NeedVolume can be called.
func (d *Driver) HasVolume() bool { return d.creates() || d.usesExisting() }

// existing returns the profile's volume, once no other case has it. The case keeps it until it is cleaned up.
func (d *Driver) existing(ctx context.Context, capabilities []*csi.VolumeCapability) *csi.Volume {
	for _, capability := range capabilities {
		if !proto.Equal(capability, d.Capability()) {
			suite.Skip(suite.ByProfile, "the case needs a volume of %s, and the profile's existing volume has %s", describe.Capabilities(capabilities), describe.Capability(d.Capability()))
		}
	}
	if d.holdsExisting {
		suite.Skip(suite.ByProfile, "the case needs another volume, and the profile has one existing volume")
	}
	select {
	case d.Target.existing <- struct{}{}:
		d.holdsExisting = true
	case <-ctx.Done():
		suite.CouldNotTell("waiting for the existing volume, which other cases use, was interrupted")
	}
	volume := d.Profile().ExistingVolume
	return &csi.Volume{VolumeId: volume.VolumeHandle, VolumeContext: volume.VolumeAttributes, AccessibleTopology: topologies(volume.AccessibleTopology)}
}

func topologies(terms []map[string]string) []*csi.Topology {
	var all []*csi.Topology
	for _, term := range terms {
		all = append(all, &csi.Topology{Segments: term})
	}
	return all
}

// letGo lets other cases use the profile's volume and the attachments that the case reserved.
func (d *Driver) letGo() {
	if d.reserved > 0 {
		d.release(d.reserved)
		d.reserved = 0
	}
	if d.holdsExisting {
		d.holdsExisting = false
		<-d.Target.existing
	}
}
