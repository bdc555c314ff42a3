package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// publishing is what a case with a volume on a node takes for granted.
func publishing() harness.Needs {
	return harness.Needs{Volumes: 1, Nodes: 1}
}

// staging is publishing for nodes that stage volumes.
func staging() harness.Needs {
	needs := publishing()
	needs.Node = []csi.NodeServiceCapability_RPC_Type{csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME}
	return needs
}

// stage stages a volume, and publish publishes one.
func stage(ctx context.Context, node *harness.Node, request *csi.NodeStageVolumeRequest) error {
	_, err := node.NodeStageVolume(ctx, request)
	return err
}

func publish(ctx context.Context, node *harness.Node, request *csi.NodePublishVolumeRequest) error {
	_, err := node.NodePublishVolume(ctx, request)
	return err
}

// unstage takes a volume from where it was staged, and unpublish from where it was published.
func unstage(ctx context.Context, node *harness.Node, staged *csi.NodeStageVolumeRequest) error {
	_, err := node.NodeUnstageVolume(ctx, &csi.NodeUnstageVolumeRequest{VolumeId: staged.GetVolumeId(), StagingTargetPath: staged.GetStagingTargetPath()})
	return err
}

func unpublish(ctx context.Context, node *harness.Node, published *csi.NodePublishVolumeRequest) error {
	_, err := node.NodeUnpublishVolume(ctx, &csi.NodeUnpublishVolumeRequest{VolumeId: published.GetVolumeId(), TargetPath: published.GetTargetPath()})
	return err
}

// publishedAs makes a volume with the capability and publishes it on the node, which the case depends on. A driver that
// has no such volumes skips the case.
func publishedAs(ctx context.Context, under *harness.Driver, node *harness.Node, capability *csi.VolumeCapability) *csi.NodePublishVolumeRequest {
	return publishedWith(ctx, under, node, under.NeedVolumeWith(ctx, under.VolumeFor(node), capability), capability)
}

// publishedWith publishes the volume on the node with the capability, which the case depends on.
func publishedWith(ctx context.Context, under *harness.Driver, node *harness.Node, volume *csi.Volume, capability *csi.VolumeCapability) *csi.NodePublishVolumeRequest {
	attached := under.ControllerPublishVolumeRequest(volume, node)
	attached.VolumeCapability = capability
	var publishContext map[string]string
	if under.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
		publishContext = harness.Need(under.Controller.ControllerPublishVolume(ctx, attached)).GetPublishContext()
	}
	staged := node.NodeStageVolumeRequest(ctx, volume, publishContext)
	staged.VolumeCapability = capability
	if node.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		harness.Need(node.NodeStageVolume(ctx, staged))
	}
	published := node.NodePublishVolumeRequest(ctx, staged)
	harness.Need(node.NodePublishVolume(ctx, published))
	return published
}

// gone is a volume that was deleted, and what it had been attached to the node with: all that a request for it needs to
// be right but for the volume.
func gone(ctx context.Context, under *harness.Driver, node *harness.Node) (*csi.Volume, map[string]string) {
	volume := under.NeedVolume(ctx, under.VolumeFor(node))
	publishContext := under.Attach(ctx, volume, node)
	if under.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
		harness.Need(under.Controller.ControllerUnpublishVolume(ctx, under.ControllerUnpublishVolumeRequest(volume, node)))
	}
	harness.Need(under.Controller.DeleteVolume(ctx, under.DeleteVolumeRequest(volume)))
	return volume, publishContext
}
