// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Volume is a request for a volume of the case's size that is accessible from x topologies. Volume(1) is that for the
// plain kind of the profile, which may be accessible from everywhere, or from as many topologies as the answer says.
func (d *Driver) Volume(x int) model.Request {
	kind, _ := d.Profile().Kind(x)
	asked := model.Request{X: x, Sharing: kind.Sharing, Bytes: d.Size()}
	if x == 1 {
		asked.X, asked.Everywhere = max(0, int(kind.AccessibleFrom)), kind.AccessibleFrom == profile.Everywhere
	}
	return asked
}

// CreateVolumeRequest is the call that asks for the volume as Kubernetes does, under a new name, with all that the profile
// says such a call has. A case changes what it is about; one about topology takes ExactRequest.
func (d *Driver) CreateVolumeRequest(asked model.Request) *csi.CreateVolumeRequest {
	return d.ExactRequest(d.AsKubernetes(asked))
}

// requestOfKind is the call without a requirement.
func (d *Driver) requestOfKind(asked model.Request) *csi.CreateVolumeRequest {
	if d.usesExisting() {
		suite.Skip(suite.ByCapability, "the case needs a volume of its own, and ControllerGetCapabilities does not list CREATE_DELETE_VOLUME")
	}
	kind, ok := d.Profile().Kind(max(1, asked.X))
	if !ok {
		suite.Skip(suite.ByProfile, "the profile has no volumes that are accessible from %d topologies", asked.X)
	}
	return &csi.CreateVolumeRequest{
		Name:               d.Name(),
		Parameters:         kind.Parameters,
		CapacityRange:      &csi.CapacityRange{RequiredBytes: asked.Bytes},
		VolumeCapabilities: []*csi.VolumeCapability{messages.As(d.Capability(), kind.Mode())},
		Secrets:            d.Profile().Secrets.CreateVolume,
	}
}

// Capability is what the volumes of the suite have, whose cases are about something else: a file system, or a raw block
// device where the profile says that the driver has no file systems, with the AccessMode.
func (d *Driver) Capability() *csi.VolumeCapability {
	return messages.Capability(d.Profile())
}

// Mount is the capability of a file system with the AccessMode, for cases that say so by Needs.Mount.
func (d *Driver) Mount() *csi.VolumeCapability {
	capability := d.Capability()
	capability.AccessType = &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{FsType: d.Profile().FsType}}
	return capability
}

// Block is the capability of a raw block device with the AccessMode, for cases that say so by Needs.Block.
func (d *Driver) Block() *csi.VolumeCapability {
	capability := d.Capability()
	capability.AccessType = &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}}
	return capability
}

// CapabilityOf is the driver's Capability with the access mode that the case created the volume with.
func (d *Driver) CapabilityOf(volume *csi.Volume) *csi.VolumeCapability {
	if mode, found := d.Made.Mode(volume.GetVolumeId()); found {
		return messages.As(d.Capability(), mode)
	}
	return d.Capability()
}

// Reader is the capability of a volume that one node reads. Where volumes of the plain kind have no other, the case is
// skipped.
func (d *Driver) Reader() *csi.VolumeCapability {
	const reader = csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY
	if d.Profile().Plain().Mode() == reader {
		suite.Skip(suite.ByProfile, "the case needs another access mode beside %s, and the profile says that volumes have that one", reader)
	}
	return messages.As(d.Capability(), reader)
}

// VolumeFor is a request for a volume of the case's size that the node reaches: in the node's segment, where volumes are
// not accessible from everywhere.
func (d *Driver) VolumeFor(node *Node) model.Request {
	if !d.Room.Segments.Contains(node.Segment) {
		return d.Volume(1)
	}
	if !d.Room.Makes(1, node.Segment) {
		suite.Skip(suite.ByProfile, "the profile says that there are no volumes in %s, where %s is", node.Segment, node)
	}
	return d.Volume(1).Within(node.Segment)
}
