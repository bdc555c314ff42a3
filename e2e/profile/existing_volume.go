// SPDX-License-Identifier: Apache-2.0

package profile

// ExistingVolume describes a volume as its PersistentVolume does.
type ExistingVolume struct {
	// VolumeHandle is the volume_id.
	VolumeHandle string `yaml:"volumeHandle" jsonschema:"required"`
	// VolumeAttributes are the volume_context.
	VolumeAttributes map[string]string `yaml:"volumeAttributes"`
	// AccessibleTopology lists the topologies from which the volume is accessible, as the nodeAffinity of its
	// PersistentVolume says. Without any, it is accessible from every node, which is only true for a driver whose nodes
	// are in one segment.
	AccessibleTopology []map[string]string `yaml:"accessibleTopology"`
}
