// SPDX-License-Identifier: Apache-2.0

// Package messages makes and reads parts of CSI messages. It is independent of drivers.
package messages

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

// ReadsOnly reports whether the access mode allows no writing.
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

// Capability returns the result of Driver.Capability for a driver with that profile.
func Capability(p profile.Profile) *csi.VolumeCapability {
	capability := &csi.VolumeCapability{
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: p.Plain().Mode()},
	}
	if p.HasMount() {
		capability.AccessType = &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{FsType: p.FsType}}
	} else {
		capability.AccessType = &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}}
	}
	return capability
}

// As returns a copy of the capability with the access mode.
func As(capability *csi.VolumeCapability, mode csi.VolumeCapability_AccessMode_Mode) *csi.VolumeCapability {
	capability.AccessMode = &csi.VolumeCapability_AccessMode{Mode: mode}
	return capability
}
