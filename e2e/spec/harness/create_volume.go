// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Volume returns a request for a volume of the case's size that is accessible from x topologies. Volume(1) requests the
// plain kind of the profile, which may be accessible from everywhere, or from as many topologies as the answer says.
func (d *Driver) Volume(x int) model.Request {
	kind, _ := d.Profile().Kind(x)
	asked := model.Request{X: x, Sharing: kind.Sharing, Bytes: d.Size()}
	if x == 1 {
		asked.X, asked.Everywhere = max(0, int(kind.AccessibleFrom)), kind.AccessibleFrom == profile.Everywhere
	}
	return asked
}

// CreateVolumeRequest returns a call that requests the volume as Kubernetes does, under a new name, with everything
// that the profile adds to such a call. A case changes the fields that it is about; a case about topology uses
// ExactRequest.
func (d *Driver) CreateVolumeRequest(asked model.Request) *csi.CreateVolumeRequest {
	return d.ExactRequest(d.AsKubernetes(asked))
}

// requestOfKind returns the call without accessibility_requirements.
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

// Capability returns the capability of the volumes in cases about something else: a file system, or a raw block device
// if the profile says that the driver has no file systems, with the AccessMode.
func (d *Driver) Capability() *csi.VolumeCapability {
	return messages.Capability(d.Profile())
}

// Mount returns the capability of a file system with the AccessMode, for cases that declare Needs.Mount.
func (d *Driver) Mount() *csi.VolumeCapability {
	capability := d.Capability()
	capability.AccessType = &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{FsType: d.Profile().FsType}}
	return capability
}

// Block returns the capability of a raw block device with the AccessMode, for cases that declare Needs.Block.
func (d *Driver) Block() *csi.VolumeCapability {
	capability := d.Capability()
	capability.AccessType = &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}}
	return capability
}

// CapabilityOf returns the driver's Capability with the access mode that the case created the volume with.
func (d *Driver) CapabilityOf(volume *csi.Volume) *csi.VolumeCapability {
	if mode, found := d.Made.Mode(volume.GetVolumeId()); found {
		return messages.As(d.Capability(), mode)
	}
	return d.Capability()
}

// Reader returns the capability of a volume that one node reads. If the driver has no other access mode for plain
// volumes, it skips the case.
func (d *Driver) Reader() *csi.VolumeCapability {
	const reader = csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY
	if d.Profile().Plain().Mode() == reader {
		suite.Skip(suite.ByProfile, "the case needs another access mode besides %s, and the profile says that volumes have only that one", reader)
	}
	return messages.As(d.Capability(), reader)
}

// VolumeFor returns a request for a volume of the case's size that the node can reach: a volume in the node's segment,
// unless volumes are accessible from everywhere.
func (d *Driver) VolumeFor(node *Node) model.Request {
	if !d.Room.Segments.Contains(node.Segment) {
		return d.Volume(1)
	}
	if !d.Room.Makes(1, node.Segment) {
		suite.Skip(suite.ByProfile, "the profile says that there are no volumes in %s, where %s is", node.Segment, node)
	}
	return d.Volume(1).Within(node.Segment)
}
