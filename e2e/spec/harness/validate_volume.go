// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/container-storage-interface/spec/lib/go/csi"

// ValidateVolumeCapabilitiesRequest asks whether the volume has the capabilities.
func (d *Driver) ValidateVolumeCapabilitiesRequest(volume *csi.Volume, capabilities ...*csi.VolumeCapability) *csi.ValidateVolumeCapabilitiesRequest {
	return &csi.ValidateVolumeCapabilitiesRequest{
		VolumeId:           volume.GetVolumeId(),
		VolumeContext:      volume.GetVolumeContext(),
		VolumeCapabilities: capabilities,
		Secrets:            d.Profile().Secrets.ValidateVolume,
	}
}
