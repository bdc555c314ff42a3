// SPDX-License-Identifier: Apache-2.0

package own

import (
	"slices"
	"unicode"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// IsValid reports whether the request to create something has every REQUIRED field, and no value that the specification does
// not allow: a driver answers any other request with an error. It ignores the limits of this driver.
func IsValid(request any) bool {
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		return isName(r.GetName()) && areCapabilities(r.GetVolumeCapabilities()) && isRange(r.GetCapacityRange()) &&
			isSource(r.GetVolumeContentSource()) && isMap(r.GetParameters()) && isRequirement(r.GetAccessibilityRequirements())
	case *csi.CreateSnapshotRequest:
		return isName(r.GetName()) && r.GetSourceVolumeId() != "" && isMap(r.GetParameters())
	case *csi.CreateVolumeGroupSnapshotRequest:
		return isName(r.GetName()) && len(r.GetSourceVolumeIds()) > 0 && !slices.Contains(r.GetSourceVolumeIds(), "") && isMap(r.GetParameters())
	default:
		return false
	}
}

// isName reports whether the name has at most 128 bytes, and no control characters except tabs and line ends (CV-25).
func isName(name string) bool {
	const longest = 128
	banned := func(c rune) bool { return unicode.IsControl(c) && c != '\t' && c != '\n' && c != '\r' }
	return name != "" && len(name) <= longest && !slices.ContainsFunc([]rune(name), banned)
}

func areCapabilities(capabilities []*csi.VolumeCapability) bool {
	wrong := func(c *csi.VolumeCapability) bool {
		mode := c.GetAccessMode().GetMode()
		_, known := csi.VolumeCapability_AccessMode_Mode_name[int32(mode)]
		return c.GetAccessType() == nil || mode == csi.VolumeCapability_AccessMode_UNKNOWN || !known
	}
	return len(capabilities) > 0 && !slices.ContainsFunc(capabilities, wrong)
}

func isRange(r *csi.CapacityRange) bool {
	required, limit := r.GetRequiredBytes(), r.GetLimitBytes()
	return r == nil || required >= 0 && limit >= 0 && required+limit > 0 && (limit == 0 || limit >= required)
}

func isSource(s *csi.VolumeContentSource) bool {
	return s == nil || s.GetSnapshot().GetSnapshotId() != "" || s.GetVolume().GetVolumeId() != ""
}

func isRequirement(r *csi.TopologyRequirement) bool {
	return r == nil || len(r.GetRequisite())+len(r.GetPreferred()) > 0
}

// isMap reports whether the map has at most 4 KiB (GEN-04).
func isMap(entries map[string]string) bool {
	const most = 4 << 10
	size := 0
	for key, value := range entries {
		size += len(key) + len(value)
	}
	return size <= most
}
