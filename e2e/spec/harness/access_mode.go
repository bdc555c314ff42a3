// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// AccessMode is that of the profile's plain kind of volume, which cases use that are about something else.
func (d *Driver) AccessMode() csi.VolumeCapability_AccessMode_Mode {
	return d.Profile().Plain().Mode()
}

// CapabilityOf is the driver's Capability with the access mode that the case created the volume with.
func (d *Driver) CapabilityOf(volume *csi.Volume) *csi.VolumeCapability {
	if mode, found := d.made.modes.Load(volume.GetVolumeId()); found {
		return As(d.Capability(), mode.(csi.VolumeCapability_AccessMode_Mode))
	}
	return d.Capability()
}

// Reader is the capability of a volume that one node reads. Where volumes of the plain kind have no other, the case is
// skipped.
func (d *Driver) Reader() *csi.VolumeCapability {
	const reader = csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY
	if d.AccessMode() == reader {
		suite.Skip(suite.ByProfile, "the case needs another access mode beside %s, and the profile says that volumes have that one", reader)
	}
	return As(d.Capability(), reader)
}

// NeedWriter skips the case where the profile says that nobody writes to volumes.
func (d *Driver) NeedWriter() {
	if mode := d.AccessMode(); ReadsOnly(mode) {
		suite.Skip(suite.ByProfile, "the case needs a volume that is written to, and the profile says that volumes have %s", mode)
	}
}

// ReadsOnly reports whether nobody writes to a volume of the access mode.
func ReadsOnly(mode csi.VolumeCapability_AccessMode_Mode) bool {
	return mode == csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY || mode == csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY
}

// ForSeveralNodes reports whether several nodes may use a volume of the access mode at the same time.
func ForSeveralNodes(mode csi.VolumeCapability_AccessMode_Mode) bool {
	switch mode {
	case csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY,
		csi.VolumeCapability_AccessMode_MULTI_NODE_SINGLE_WRITER,
		csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER:
		return true
	default:
		return false
	}
}
