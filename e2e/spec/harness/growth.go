// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// GrownSize is the size in bytes that cases grow a volume of the case's size to.
func (d *Driver) GrownSize() int64 {
	if grown := d.Profile().GrownBytes; grown > 0 {
		return grown
	}
	return 2 * d.Size()
}

// ControllerExpandVolumeRequest grows a volume to at least that many bytes.
func (d *Driver) ControllerExpandVolumeRequest(volume *csi.Volume, bytes int64) *csi.ControllerExpandVolumeRequest {
	return &csi.ControllerExpandVolumeRequest{
		VolumeId:         volume.GetVolumeId(),
		CapacityRange:    &csi.CapacityRange{RequiredBytes: bytes},
		VolumeCapability: d.CapabilityOf(volume),
		Secrets:          d.Profile().Secrets.ControllerExpandVolume,
	}
}

// Grow grows a volume with the capability to at least that many bytes where the controller does that, which the case
// depends on.
func (d *Driver) Grow(ctx context.Context, volume *csi.Volume, bytes int64, capability *csi.VolumeCapability) {
	if !d.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME) {
		return
	}
	request := d.ControllerExpandVolumeRequest(volume, bytes)
	request.VolumeCapability = capability
	Need(d.Controller.ControllerExpandVolume(ctx, request))
}

// NodeExpandVolumeRequest grows a published volume on the node to at least that many bytes, at its target path.
func (n *Node) NodeExpandVolumeRequest(published *csi.NodePublishVolumeRequest, bytes int64) *csi.NodeExpandVolumeRequest {
	return &csi.NodeExpandVolumeRequest{
		VolumeId:          published.GetVolumeId(),
		VolumePath:        published.GetTargetPath(),
		StagingTargetPath: published.GetStagingTargetPath(),
		CapacityRange:     &csi.CapacityRange{RequiredBytes: bytes},
		VolumeCapability:  published.GetVolumeCapability(),
		Secrets:           n.driver.Profile().Secrets.NodeExpandVolume,
	}
}

// GrownTo is the size in bytes that the driver gave the volume last; 0 is not known.
func (d *Driver) GrownTo(volume *csi.Volume) int64 {
	return d.made.volume(volume.GetVolumeId()).GetCapacityBytes()
}
