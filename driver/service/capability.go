// SPDX-License-Identifier: Apache-2.0

package service

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/volume"
)

const (
	// readOnlyContext is the key in publish_context that shows a node, by the value
	// "true", that the volume was published to it read-only.
	readOnlyContext = "readonly"
	// nodeContext is the key in publish_context for the node that the volume was
	// published to. Every node sees the data directory, so only this key shows a node
	// that a volume is not for it: one that is out of reach, for instance (NS-01).
	nodeContext = "node"
)

// accessModes returns the access modes that volumes of the kind have.
func accessModes(kind volume.Kind) []csi.VolumeCapability_AccessMode_Mode {
	modes := []csi.VolumeCapability_AccessMode_Mode{
		csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER,
		csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY,
		csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER,
		csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER,
	}
	if kind.MultiNode() {
		modes = append(modes,
			csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY,
			csi.VolumeCapability_AccessMode_MULTI_NODE_SINGLE_WRITER,
			csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER,
		)
	}
	return modes
}

// multiNode reports whether the access mode lets several nodes have the volume.
func multiNode(m csi.VolumeCapability_AccessMode_Mode) bool {
	switch m {
	case csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY,
		csi.VolumeCapability_AccessMode_MULTI_NODE_SINGLE_WRITER,
		csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER:
		return true
	default:
		return false
	}
}
