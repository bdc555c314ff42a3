// SPDX-License-Identifier: Apache-2.0

// Package publication attaches volumes to nodes, stages and publishes them, and takes them away again.
package publication

import (
	"context"
	"maps"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// AttachRequest returns the call that publishes a volume to a node, with the access mode that the volume was created
// with.
func AttachRequest(d *harness.Driver, volume *csi.Volume, node *harness.Node) *csi.ControllerPublishVolumeRequest {
	return &csi.ControllerPublishVolumeRequest{
		VolumeId:         volume.GetVolumeId(),
		NodeId:           node.ID,
		VolumeCapability: d.CapabilityOf(volume),
		VolumeContext:    volume.GetVolumeContext(),
		Secrets:          d.Profile().Secrets.ControllerPublishVolume,
	}
}

// DetachRequest returns the call that ends the publication of a volume to a node.
func DetachRequest(d *harness.Driver, volume *csi.Volume, node *harness.Node) *csi.ControllerUnpublishVolumeRequest {
	return &csi.ControllerUnpublishVolumeRequest{
		VolumeId: volume.GetVolumeId(),
		NodeId:   node.ID,
		Secrets:  d.Profile().Secrets.ControllerUnpublishVolume,
	}
}

// Attach publishes the volume to the node if the controller does that, and returns the publish_context. The case
// depends on it.
func Attach(ctx context.Context, d *harness.Driver, volume *csi.Volume, node *harness.Node) map[string]string {
	return AttachAs(ctx, d, volume, node, d.CapabilityOf(volume))
}

// AttachAs is like Attach, with the given capability.
func AttachAs(ctx context.Context, d *harness.Driver, volume *csi.Volume, node *harness.Node, capability *csi.VolumeCapability) map[string]string {
	if !d.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
		return nil
	}
	request := AttachRequest(d, volume, node)
	request.VolumeCapability = capability
	return harness.NeedOK(d.Controller.ControllerPublishVolume(ctx, request)).GetPublishContext()
}

// ExpectSameContext fails the case unless ControllerPublishVolume answered the same publish_context when it was repeated.
func ExpectSameContext(before, now map[string]string) {
	suite.Must("CP-22", maps.Equal(before, now), "the contents of publish_context are not mutable\nControllerPublishVolume answered %s, and when repeated %s", describe.Map(before), describe.Map(now))
}
