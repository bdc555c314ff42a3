// SPDX-License-Identifier: Apache-2.0

package profile

import "strings"

// TopologyOf returns the keys for zones and regions by their names. Without such a zone key, the other key with the most
// values is used for zones or, if there is no other, the region's key; values may be nil if they are not known. Without keys
// there is no zone.
func TopologyOf(keys []string, values func(key string) int) Topology {
	found := Topology{}
	for _, key := range keys {
		switch {
		case strings.HasSuffix(key, "/region"):
			found.Region = key
		case strings.HasSuffix(key, "/zone"):
			found.Zone = key
		}
	}
	if found.Zone != "" {
		return found
	}
	for _, key := range keys {
		if key != found.Region && (found.Zone == "" || values != nil && values(key) > values(found.Zone)) {
			found.Zone = key
		}
	}
	if found.Zone == "" { // a driver whose volumes are only limited by regions
		return Topology{Zone: found.Region}
	}
	return found
}
