// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"go.yaml.in/yaml/v3"
)

// AccessMode says how many nodes may use a volume, and how, by the specification's name. It is 0 if the profile does
// not say, which means SINGLE_NODE_WRITER.
type AccessMode csi.VolumeCapability_AccessMode_Mode

// Mode returns the access mode of the volumes of the kind.
func (k Kind) Mode() csi.VolumeCapability_AccessMode_Mode {
	if k.AccessMode == 0 {
		return csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
	}
	return csi.VolumeCapability_AccessMode_Mode(k.AccessMode)
}

// AccessModeOf returns the access mode with the name, or 0.
func AccessModeOf(name string) AccessMode {
	return AccessMode(csi.VolumeCapability_AccessMode_Mode_value[name])
}

// UnmarshalYAML reads the name of an access mode.
func (m *AccessMode) UnmarshalYAML(node *yaml.Node) error {
	name := shape(node)
	mode := csi.VolumeCapability_AccessMode_Mode_value[name]
	if mode == 0 { // also UNKNOWN, which the specification reserves for a field that is not set
		return fmt.Errorf("accessMode is %s: want one of %s", name, strings.Join(AccessModes(), ", "))
	}
	*m = AccessMode(mode)
	return nil
}

// AccessModes returns the names of all access modes, in the order of the specification.
func AccessModes() []string {
	var names []string
	for _, mode := range slices.Sorted(maps.Keys(csi.VolumeCapability_AccessMode_Mode_name)) {
		if mode != 0 {
			names = append(names, csi.VolumeCapability_AccessMode_Mode_name[mode])
		}
	}
	return names
}
