// SPDX-License-Identifier: Apache-2.0

package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
)

// requiredFieldsOfNodes returns a case for each of the node's calls that have REQUIRED
// fields.
func requiredFieldsOfNodes() []harness.Case {
	ofCapability := ofCapability("volume_capability")
	return rejecting([]rejectsWithout{
		{
			call: "NodeStageVolume", id: "required_node_stage", needs: claimingAtNode(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME),
			fields: append([]requiredField{required("volume_id"), required("staging_target_path"), required("volume_capability")}, ofCapability...),
			ask: func(ctx context.Context, driver *harness.Driver) question {
				node := driver.Nodes[0]
				volume := needVolumeFor(ctx, driver, node)
				request := publication.StageRequest(ctx, node, volume, publication.Attach(ctx, driver, volume, node))
				return undoneBy(asking(node.NodeStageVolume, request), node.NodeUnstageVolume, unstageRequest(request))
			},
		},
		{
			call: "NodeUnstageVolume", id: "required_node_unstage", needs: claimingAtNode(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME),
			fields: []requiredField{required("volume_id"), required("staging_target_path")},
			ask: func(ctx context.Context, driver *harness.Driver) question {
				node := driver.Nodes[0]
				return asking(node.NodeUnstageVolume, unstageRequest(publication.Stage(ctx, node, needVolumeFor(ctx, driver, node))))
			},
		},
		{ // staging_target_path, if it is needed, has a separate code (NS-15)
			call: "NodePublishVolume", id: "required_node_publish", needs: claimingAtNode(),
			fields: append([]requiredField{required("volume_id"), required("target_path"), required("volume_capability")}, ofCapability...),
			ask: func(ctx context.Context, driver *harness.Driver) question {
				node := driver.Nodes[0]
				request := publication.Request(ctx, node, publication.Stage(ctx, node, needVolumeFor(ctx, driver, node)))
				return undoneBy(asking(node.NodePublishVolume, request), node.NodeUnpublishVolume, unpublishRequest(request))
			},
		},
		{
			call: "NodeUnpublishVolume", id: "required_node_unpublish", needs: claimingAtNode(),
			fields: []requiredField{required("volume_id"), required("target_path")},
			ask: func(ctx context.Context, driver *harness.Driver) question {
				node := driver.Nodes[0]
				return asking(node.NodeUnpublishVolume, unpublishRequest(publication.Publish(ctx, node, needVolumeFor(ctx, driver, node))))
			},
		},
		{
			call: "NodeExpandVolume", id: "required_node_expand", needs: claimingAtNode(csi.NodeServiceCapability_RPC_EXPAND_VOLUME),
			fields: []requiredField{required("volume_id", "NE-10"), required("volume_path", "NE-11")},
			ask: func(ctx context.Context, driver *harness.Driver) question {
				node := driver.Nodes[0]
				volume, bytes := needVolumeFor(ctx, driver, node), driver.Size()
				if driver.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME) {
					bytes = growth.Size(driver)
					growth.Grow(ctx, driver, volume, bytes, driver.Capability())
				}
				return asking(node.NodeExpandVolume, growth.NodeRequest(node, publication.Publish(ctx, node, volume), bytes))
			},
		},
		{
			call: "NodeGetVolumeStats", id: "required_node_stats", needs: claimingAtNode(csi.NodeServiceCapability_RPC_GET_VOLUME_STATS),
			fields: []requiredField{required("volume_id"), required("volume_path")},
			ask: func(ctx context.Context, driver *harness.Driver) question {
				node := driver.Nodes[0]
				published := publication.Publish(ctx, node, needVolumeFor(ctx, driver, node))
				return asking(node.NodeGetVolumeStats, &csi.NodeGetVolumeStatsRequest{
					VolumeId:          published.GetVolumeId(),
					VolumePath:        published.GetTargetPath(),
					StagingTargetPath: published.GetStagingTargetPath(),
				})
			},
		},
		{ // its paths may be left out
			call: "NodeGetVolumeHealth", id: "required_node_health", needs: claimingAtNode(csi.NodeServiceCapability_RPC_GET_VOLUME_HEALTH),
			fields: []requiredField{required("volume_id")},
			ask: func(ctx context.Context, driver *harness.Driver) question {
				node := driver.Nodes[0]
				published := publication.Publish(ctx, node, needVolumeFor(ctx, driver, node))
				return asking(node.NodeGetVolumeHealth, &csi.NodeGetVolumeHealthRequest{
					VolumeId:          published.GetVolumeId(),
					VolumePublishPath: published.GetTargetPath(),
					StagingTargetPath: published.GetStagingTargetPath(),
				})
			},
		},
	})
}
