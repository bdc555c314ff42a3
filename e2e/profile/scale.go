// SPDX-License-Identifier: Apache-2.0

package profile

import "cmp"

// Scale is the size of an installation.
type Scale struct {
	// Topologies is the number of topologies that nodes have, such as zones, or nodes if each has its own volumes.
	Topologies int `yaml:"topologies" jsonschema:"minimum=0"`
	// StorageClasses is the number of StorageClasses of the driver.
	StorageClasses int `yaml:"storageClasses" jsonschema:"minimum=0"`
	// Volumes is the number of volumes of the driver; 1000 when 0.
	Volumes int `yaml:"volumes" jsonschema:"minimum=0"`
}

// ScaleOr returns the scale of the profile, with the given numbers as defaults.
func (p Profile) ScaleOr(topologies, storageClasses int) Scale {
	const volumes = 1000
	return Scale{
		Topologies:     cmp.Or(p.Scale.Topologies, topologies),
		StorageClasses: cmp.Or(p.Scale.StorageClasses, storageClasses),
		Volumes:        cmp.Or(p.Scale.Volumes, volumes),
	}
}
