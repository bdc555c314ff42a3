// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
)

// unknownMode is an access mode that no version of the specification has.
const unknownMode csi.VolumeCapability_AccessMode_Mode = 1000

// needsNode returns the needs of a case that publishes a volume on a node, and needsStaging the needs of one that stages it.
func needsNode() []harness.Need {
	return harness.Needs(harness.Nodes(1), harness.Volume())
}

func needsStaging() []harness.Need {
	return harness.Needs(needsNode(), harness.NodeClaims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME))
}

// stages reports whether the node stages volumes.
func stages(node *harness.Node) bool {
	return node.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME)
}

// name returns the code's name in the specification.
func name(code codes.Code) string { return model.CodeName(code) }

func stage(ctx context.Context, node *harness.Node, request *csi.NodeStageVolumeRequest) error {
	_, err := node.NodeStageVolume(ctx, request)
	return err
}

func publish(ctx context.Context, node *harness.Node, request *csi.NodePublishVolumeRequest) error {
	_, err := node.NodePublishVolume(ctx, request)
	return err
}

// unstage removes a volume from its staging path, and unpublish from its target path.
func unstage(ctx context.Context, node *harness.Node, staged *csi.NodeStageVolumeRequest) error {
	_, err := node.NodeUnstageVolume(ctx, &csi.NodeUnstageVolumeRequest{VolumeId: staged.GetVolumeId(), StagingTargetPath: staged.GetStagingTargetPath()})
	return err
}

func unpublish(ctx context.Context, node *harness.Node, published *csi.NodePublishVolumeRequest) error {
	_, err := node.NodeUnpublishVolume(ctx, &csi.NodeUnpublishVolumeRequest{VolumeId: published.GetVolumeId(), TargetPath: published.GetTargetPath()})
	return err
}

// needPublishedAs creates a volume with the capability and publishes it on the node, which the case depends on. Without
// such volumes the case is skipped.
func needPublishedAs(ctx context.Context, driver *harness.Driver, node *harness.Node, capability *csi.VolumeCapability) *csi.NodePublishVolumeRequest {
	return publication.PublishAs(ctx, node, driver.NeedVolumeWith(ctx, driver.VolumeFor(node), capability), capability)
}

// needUsed creates a volume and publishes it on the node for writing once: a plugin may make its file system then, which it
// need not do for a reader.
func needUsed(ctx context.Context, driver *harness.Driver, node *harness.Node) *csi.Volume {
	volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
	publication.TakeAway(ctx, node, volume, publication.Publish(ctx, node, volume))
	return volume
}

// needDeleted returns a volume that was deleted and the publish_context that it had on the node, for requests where
// only the volume is wrong.
func needDeleted(ctx context.Context, driver *harness.Driver, node *harness.Node) (*csi.Volume, map[string]string) {
	volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
	publishContext := publication.Attach(ctx, driver, volume, node)
	if driver.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
		harness.NeedOK(driver.Controller.ControllerUnpublishVolume(ctx, publication.DetachRequest(driver, volume, node)))
	}
	deletion.Need(ctx, driver, volume)
	return volume, publishContext
}
