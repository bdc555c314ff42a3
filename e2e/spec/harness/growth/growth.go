// SPDX-License-Identifier: Apache-2.0

// Package growth grows volumes for cases.
package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Size returns the size in bytes that cases grow a volume of the case's size to.
func Size(d *harness.Driver) int64 {
	if grown := d.Profile().GrownBytes; grown > 0 {
		return grown
	}
	return 2 * d.Size()
}

// ControllerRequest returns the call that grows a volume to at least the given number of bytes.
func ControllerRequest(d *harness.Driver, volume *csi.Volume, bytes int64) *csi.ControllerExpandVolumeRequest {
	return &csi.ControllerExpandVolumeRequest{
		VolumeId:         volume.GetVolumeId(),
		CapacityRange:    &csi.CapacityRange{RequiredBytes: bytes},
		VolumeCapability: d.CapabilityOf(volume),
		Secrets:          d.Profile().Secrets.ControllerExpandVolume,
	}
}

// Grow grows a volume with the capability to at least the given number of bytes if the controller expands volumes.
// The case depends on it.
func Grow(ctx context.Context, d *harness.Driver, volume *csi.Volume, bytes int64, capability *csi.VolumeCapability) {
	if !d.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME) {
		return
	}
	request := ControllerRequest(d, volume, bytes)
	request.VolumeCapability = capability
	response, err := d.Controller.ControllerExpandVolume(ctx, request)
	harness.NeedRoomToGrow(ctx, d, request, err)
	harness.NeedOK(response, err)
}

// NodeRequest returns the call that grows a published volume on the node to at least the given number of bytes, at
// its target path.
func NodeRequest(n *harness.Node, published *csi.NodePublishVolumeRequest, bytes int64) *csi.NodeExpandVolumeRequest {
	return &csi.NodeExpandVolumeRequest{
		VolumeId:          published.GetVolumeId(),
		VolumePath:        published.GetTargetPath(),
		StagingTargetPath: published.GetStagingTargetPath(),
		CapacityRange:     &csi.CapacityRange{RequiredBytes: bytes},
		VolumeCapability:  published.GetVolumeCapability(),
		Secrets:           n.Driver.Profile().Secrets.NodeExpandVolume,
	}
}
