// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// ControllerPublishVolumeRequest publishes a volume to a node, with the access mode that it was created with.
func (d *Driver) ControllerPublishVolumeRequest(volume *csi.Volume, node *Node) *csi.ControllerPublishVolumeRequest {
	return &csi.ControllerPublishVolumeRequest{
		VolumeId:         volume.GetVolumeId(),
		NodeId:           node.ID,
		VolumeCapability: d.CapabilityOf(volume),
		VolumeContext:    volume.GetVolumeContext(),
		Secrets:          d.Profile().Secrets.ControllerPublishVolume,
	}
}

// ControllerUnpublishVolumeRequest ends the publication of a volume to a node.
func (d *Driver) ControllerUnpublishVolumeRequest(volume *csi.Volume, node *Node) *csi.ControllerUnpublishVolumeRequest {
	return &csi.ControllerUnpublishVolumeRequest{
		VolumeId: volume.GetVolumeId(),
		NodeId:   node.ID,
		Secrets:  d.Profile().Secrets.ControllerUnpublishVolume,
	}
}

// DeleteVolumeRequest deletes a volume.
func (d *Driver) DeleteVolumeRequest(volume *csi.Volume) *csi.DeleteVolumeRequest {
	return &csi.DeleteVolumeRequest{VolumeId: volume.GetVolumeId(), Secrets: d.Profile().Secrets.DeleteVolume}
}

// Attach publishes the volume to the node where the controller does that, and returns the publish_context. The case
// depends on it.
func (d *Driver) Attach(ctx context.Context, volume *csi.Volume, node *Node) map[string]string {
	return d.AttachAs(ctx, volume, node, d.CapabilityOf(volume))
}

// AttachAs is Attach with the capability.
func (d *Driver) AttachAs(ctx context.Context, volume *csi.Volume, node *Node, capability *csi.VolumeCapability) map[string]string {
	if !d.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
		return nil
	}
	request := d.ControllerPublishVolumeRequest(volume, node)
	request.VolumeCapability = capability
	return Need(d.Controller.ControllerPublishVolume(ctx, request)).GetPublishContext()
}

// NodeStageVolumeRequest stages an attached volume in a new directory.
func (n *Node) NodeStageVolumeRequest(ctx context.Context, volume *csi.Volume, publishContext map[string]string) *csi.NodeStageVolumeRequest {
	return &csi.NodeStageVolumeRequest{
		VolumeId:          volume.GetVolumeId(),
		PublishContext:    publishContext,
		StagingTargetPath: n.StagingPath(ctx),
		VolumeCapability:  n.driver.CapabilityOf(volume),
		VolumeContext:     volume.GetVolumeContext(),
		Secrets:           n.driver.Profile().Secrets.NodeStageVolume,
	}
}

// NodePublishVolumeRequest publishes a volume at a new target path: as it was staged, or as it was attached where nodes
// stage nothing, and read-only where nobody writes to it.
func (n *Node) NodePublishVolumeRequest(ctx context.Context, staged *csi.NodeStageVolumeRequest) *csi.NodePublishVolumeRequest {
	request := &csi.NodePublishVolumeRequest{
		VolumeId:         staged.GetVolumeId(),
		PublishContext:   staged.GetPublishContext(),
		TargetPath:       n.TargetPath(ctx),
		VolumeCapability: staged.GetVolumeCapability(),
		Readonly:         ReadsOnly(staged.GetVolumeCapability().GetAccessMode().GetMode()),
		VolumeContext:    staged.GetVolumeContext(),
		Secrets:          n.driver.Profile().Secrets.NodePublishVolume,
	}
	if n.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		request.StagingTargetPath = staged.GetStagingTargetPath()
	}
	return request
}

// Stage attaches the volume to the node and stages it where nodes stage volumes, which the case depends on. The request
// is what a publication follows from.
func (n *Node) Stage(ctx context.Context, volume *csi.Volume) *csi.NodeStageVolumeRequest {
	return n.StageAs(ctx, volume, n.driver.CapabilityOf(volume))
}

// StageAs is Stage with the capability.
func (n *Node) StageAs(ctx context.Context, volume *csi.Volume, capability *csi.VolumeCapability) *csi.NodeStageVolumeRequest {
	return n.stage(ctx, volume, capability, unjudged)
}

// unjudged leaves what a call answered to Need.
func unjudged(string, error) {}

func (n *Node) stage(ctx context.Context, volume *csi.Volume, capability *csi.VolumeCapability, judge func(rpc string, err error)) *csi.NodeStageVolumeRequest {
	request := n.NodeStageVolumeRequest(ctx, volume, nil)
	request.VolumeCapability = capability
	if n.driver.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
		attach := n.driver.ControllerPublishVolumeRequest(volume, n)
		attach.VolumeCapability = capability
		response, err := n.driver.Controller.ControllerPublishVolume(ctx, attach)
		judge("ControllerPublishVolume", err)
		request.PublishContext = Need(response, err).GetPublishContext()
	}
	if n.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		response, err := n.NodeStageVolume(ctx, request)
		judge("NodeStageVolume", err)
		Need(response, err)
	}
	return request
}

// Publish attaches, stages and publishes the volume, which the case depends on, and returns how it was published.
func (n *Node) Publish(ctx context.Context, volume *csi.Volume) *csi.NodePublishVolumeRequest {
	return n.PublishAs(ctx, volume, n.driver.CapabilityOf(volume))
}

// PublishAs is Publish with the capability.
func (n *Node) PublishAs(ctx context.Context, volume *csi.Volume, capability *csi.VolumeCapability) *csi.NodePublishVolumeRequest {
	return n.PublishJudged(ctx, volume, capability, unjudged)
}

// PublishJudged is PublishAs for a case that judges what each of the calls answers, by the call's name. What judge lets pass,
// the case depends on.
func (n *Node) PublishJudged(ctx context.Context, volume *csi.Volume, capability *csi.VolumeCapability, judge func(rpc string, err error)) *csi.NodePublishVolumeRequest {
	request := n.NodePublishVolumeRequest(ctx, n.stage(ctx, volume, capability, judge))
	response, err := n.NodePublishVolume(ctx, request)
	judge("NodePublishVolume", err)
	Need(response, err)
	return request
}

// Unpublish takes the volume from its target path, which the case depends on.
func (n *Node) Unpublish(ctx context.Context, published *csi.NodePublishVolumeRequest) {
	Need(n.NodeUnpublishVolume(ctx, &csi.NodeUnpublishVolumeRequest{VolumeId: published.GetVolumeId(), TargetPath: published.GetTargetPath()}))
}

// TakeAway takes a published volume from the node altogether, as a CO does when its pod is gone. The case depends on it.
func (n *Node) TakeAway(ctx context.Context, volume *csi.Volume, published *csi.NodePublishVolumeRequest) {
	n.Unpublish(ctx, published)
	if n.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		Need(n.NodeUnstageVolume(ctx, &csi.NodeUnstageVolumeRequest{VolumeId: published.GetVolumeId(), StagingTargetPath: published.GetStagingTargetPath()}))
	}
	if n.driver.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
		Need(n.driver.Controller.ControllerUnpublishVolume(ctx, n.driver.ControllerUnpublishVolumeRequest(volume, n)))
	}
}
