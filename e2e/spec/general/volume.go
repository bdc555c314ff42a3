// SPDX-License-Identifier: Apache-2.0

package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// needVolume makes a volume in the driver's first segment, if it has any.
func needVolume(ctx context.Context, driver *harness.Driver) *csi.Volume {
	return driver.NeedVolume(ctx, driver.Volume(1).Within(driver.Zones(1)...))
}

// needVolumeFor makes a volume that the node reaches.
func needVolumeFor(ctx context.Context, driver *harness.Driver, node *harness.Node) *csi.Volume {
	return driver.NeedVolume(ctx, driver.VolumeFor(node))
}

// unstageRequest undoes a staging, and unpublishRequest a publication at a node.
func unstageRequest(staged *csi.NodeStageVolumeRequest) *csi.NodeUnstageVolumeRequest {
	return &csi.NodeUnstageVolumeRequest{VolumeId: staged.GetVolumeId(), StagingTargetPath: staged.GetStagingTargetPath()}
}

func unpublishRequest(published *csi.NodePublishVolumeRequest) *csi.NodeUnpublishVolumeRequest {
	return &csi.NodeUnpublishVolumeRequest{VolumeId: published.GetVolumeId(), TargetPath: published.GetTargetPath()}
}

// claiming returns the needs of a case with a volume, whose controller claims the
// capabilities.
func claiming(capabilities ...csi.ControllerServiceCapability_RPC_Type) []harness.Need {
	return harness.Needs(harness.Volumes(1), harness.Claims(capabilities...))
}

// publishing returns the needs of a case whose controller publishes a volume to a node.
func publishing() []harness.Need {
	return harness.Needs(claiming(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME), harness.Nodes(1))
}

// claimingAtNode returns the needs of a case with a volume and one node, whose nodes
// claim the capabilities.
func claimingAtNode(capabilities ...csi.NodeServiceCapability_RPC_Type) []harness.Need {
	return harness.Needs(harness.Nodes(1), harness.Volume(), harness.NodeClaims(capabilities...))
}
