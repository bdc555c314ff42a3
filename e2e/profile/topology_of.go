// SPDX-License-Identifier: Apache-2.0

package profile

import "strings"

// TopologyOf tells a driver's topology keys apart: those for zones and regions are called so, or else that for zones is the
// key of which there are the most values, and no region; values may be nil where they are not known. There is no zone
// without keys.
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
	if found.Zone == "" { // of a driver whose volumes are limited by regions alone
		return Topology{Zone: found.Region}
	}
	return found
}
