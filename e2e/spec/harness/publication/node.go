// SPDX-License-Identifier: Apache-2.0

package publication

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// StageRequest returns the call that stages an attached volume in a new directory.
func StageRequest(ctx context.Context, n *harness.Node, volume *csi.Volume, publishContext map[string]string) *csi.NodeStageVolumeRequest {
	return &csi.NodeStageVolumeRequest{
		VolumeId:          volume.GetVolumeId(),
		PublishContext:    publishContext,
		StagingTargetPath: n.StagingPath(ctx),
		VolumeCapability:  n.Driver.CapabilityOf(volume),
		VolumeContext:     volume.GetVolumeContext(),
		Secrets:           n.Driver.Profile().Secrets.NodeStageVolume,
	}
}

// Request returns the call that publishes a volume at a new target path: as it was staged, or as it was attached if
// nodes stage nothing, and read-only if the access mode allows no writing.
func Request(ctx context.Context, n *harness.Node, staged *csi.NodeStageVolumeRequest) *csi.NodePublishVolumeRequest {
	request := &csi.NodePublishVolumeRequest{
		VolumeId:         staged.GetVolumeId(),
		PublishContext:   staged.GetPublishContext(),
		TargetPath:       n.TargetPath(ctx),
		VolumeCapability: staged.GetVolumeCapability(),
		Readonly:         messages.ReadsOnly(staged.GetVolumeCapability().GetAccessMode().GetMode()),
		VolumeContext:    staged.GetVolumeContext(),
		Secrets:          n.Driver.Profile().Secrets.NodePublishVolume,
	}
	if n.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		request.StagingTargetPath = staged.GetStagingTargetPath()
	}
	return request
}

// Stage attaches the volume to the node and stages it if nodes stage volumes. The case depends on it. The result is the
// request that a publication continues from.
func Stage(ctx context.Context, n *harness.Node, volume *csi.Volume) *csi.NodeStageVolumeRequest {
	return StageAs(ctx, n, volume, n.Driver.CapabilityOf(volume))
}

// StageAs is like Stage, with the given capability.
func StageAs(ctx context.Context, n *harness.Node, volume *csi.Volume, capability *csi.VolumeCapability) *csi.NodeStageVolumeRequest {
	return stage(ctx, n, volume, capability, judgeCreated(n.Driver, volume, capability))
}

func stage(ctx context.Context, n *harness.Node, volume *csi.Volume, capability *csi.VolumeCapability, judge func(rpc string, err error)) *csi.NodeStageVolumeRequest {
	request := StageRequest(ctx, n, volume, nil)
	request.VolumeCapability = capability
	if n.Driver.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
		attach := AttachRequest(n.Driver, volume, n)
		attach.VolumeCapability = capability
		response, err := n.Driver.Controller.ControllerPublishVolume(ctx, attach)
		judge("ControllerPublishVolume", err)
		request.PublishContext = harness.NeedOK(response, err).GetPublishContext()
	}
	if n.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		response, err := n.NodeStageVolume(ctx, request)
		judge("NodeStageVolume", err)
		harness.NeedOK(response, err)
	}
	return request
}

// Publish attaches, stages and publishes the volume, which the case depends on, and returns how it was published.
func Publish(ctx context.Context, n *harness.Node, volume *csi.Volume) *csi.NodePublishVolumeRequest {
	return PublishAs(ctx, n, volume, n.Driver.CapabilityOf(volume))
}

// PublishAs is like Publish, with the given capability.
func PublishAs(ctx context.Context, n *harness.Node, volume *csi.Volume, capability *csi.VolumeCapability) *csi.NodePublishVolumeRequest {
	return PublishJudged(ctx, n, volume, capability, judgeCreated(n.Driver, volume, capability))
}

// PublishJudged is like PublishAs, for a case that judges the answer of each call, by the call's name. The case depends on
// the calls that judge accepts.
func PublishJudged(ctx context.Context, n *harness.Node, volume *csi.Volume, capability *csi.VolumeCapability, judge func(rpc string, err error)) *csi.NodePublishVolumeRequest {
	request := Request(ctx, n, stage(ctx, n, volume, capability, judge))
	response, err := n.NodePublishVolume(ctx, request)
	judge("NodePublishVolume", err)
	harness.NeedOK(response, err)
	return request
}

// Unpublish unpublishes the volume from its target path. The case depends on it.
func Unpublish(ctx context.Context, n *harness.Node, published *csi.NodePublishVolumeRequest) {
	harness.NeedOK(n.NodeUnpublishVolume(ctx, &csi.NodeUnpublishVolumeRequest{VolumeId: published.GetVolumeId(), TargetPath: published.GetTargetPath()}))
}

// TakeAway takes a published volume from the node altogether, as a CO does when its pod is gone. The case depends on
// it.
func TakeAway(ctx context.Context, n *harness.Node, volume *csi.Volume, published *csi.NodePublishVolumeRequest) {
	Unpublish(ctx, n, published)
	if n.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		harness.NeedOK(n.NodeUnstageVolume(ctx, &csi.NodeUnstageVolumeRequest{VolumeId: published.GetVolumeId(), StagingTargetPath: published.GetStagingTargetPath()}))
	}
	if n.Driver.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
		harness.NeedOK(n.Driver.Controller.ControllerUnpublishVolume(ctx, DetachRequest(n.Driver, volume, n)))
	}
}
