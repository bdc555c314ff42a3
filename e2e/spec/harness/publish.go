package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// ControllerPublishVolumeRequest publishes a volume to a node, as one node writes a file system.
func (d *Driver) ControllerPublishVolumeRequest(volume *csi.Volume, node *Node) *csi.ControllerPublishVolumeRequest {
	return &csi.ControllerPublishVolumeRequest{
		VolumeId:         volume.GetVolumeId(),
		NodeId:           node.ID,
		VolumeCapability: d.Mount(),
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
	if !d.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
		return nil
	}
	return Need(d.Controller.ControllerPublishVolume(ctx, d.ControllerPublishVolumeRequest(volume, node))).GetPublishContext()
}

// NodeStageVolumeRequest stages an attached volume in a new directory.
func (n *Node) NodeStageVolumeRequest(ctx context.Context, volume *csi.Volume, publishContext map[string]string) *csi.NodeStageVolumeRequest {
	return &csi.NodeStageVolumeRequest{
		VolumeId:          volume.GetVolumeId(),
		PublishContext:    publishContext,
		StagingTargetPath: n.StagingPath(ctx),
		VolumeCapability:  n.driver.Mount(),
		VolumeContext:     volume.GetVolumeContext(),
		Secrets:           n.driver.Profile().Secrets.NodeStageVolume,
	}
}

// NodePublishVolumeRequest publishes a volume at a new target path: as it was staged, or as it was attached where nodes
// stage nothing.
func (n *Node) NodePublishVolumeRequest(ctx context.Context, staged *csi.NodeStageVolumeRequest) *csi.NodePublishVolumeRequest {
	request := &csi.NodePublishVolumeRequest{
		VolumeId:         staged.GetVolumeId(),
		PublishContext:   staged.GetPublishContext(),
		TargetPath:       n.TargetPath(ctx),
		VolumeCapability: staged.GetVolumeCapability(),
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
	request := n.NodeStageVolumeRequest(ctx, volume, n.driver.Attach(ctx, volume, n))
	if n.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		Need(n.NodeStageVolume(ctx, request))
	}
	return request
}

// Publish attaches, stages and publishes the volume, which the case depends on, and returns how it was published.
func (n *Node) Publish(ctx context.Context, volume *csi.Volume) *csi.NodePublishVolumeRequest {
	request := n.NodePublishVolumeRequest(ctx, n.Stage(ctx, volume))
	Need(n.NodePublishVolume(ctx, request))
	return request
}
