// SPDX-License-Identifier: Apache-2.0

package restart

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// onNodes returns the cases about nodes, and about volumes that were on them before.
func onNodes() []harness.Case { return []harness.Case{nodeInfo(), attached(), published(), rebooted()} }

func nodeInfo() harness.Case {
	return harness.Case{
		ID:           "restart_node_info",
		Text:         "returns the same node_id after a restart, should return the same limit and topology, and claims topology if it has any",
		Requirements: []string{"NI-05", "NI-07", "NI-14"},
		Needs:        harness.Needs(harness.NodeInfo(1), harness.Restart()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			var before []*csi.NodeGetInfoResponse
			for _, node := range driver.Nodes {
				before = append(before, harness.NeedOK(node.NodeGetInfo(ctx, &csi.NodeGetInfoRequest{})))
			}

			harness.RestartDriver(ctx, driver)

			claims := harness.NeedOK(driver.Identity.GetPluginCapabilities(ctx, &csi.GetPluginCapabilitiesRequest{}))
			constrained := slices.ContainsFunc(claims.GetCapabilities(), func(c *csi.PluginCapability) bool {
				return c.GetService().GetType() == csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS
			})
			for i, node := range driver.Nodes {
				again := harness.NeedOK(node.NodeGetInfo(ctx, &csi.NodeGetInfoRequest{}))
				suite.Must("NI-07", again.GetNodeId() == before[i].GetNodeId(), "node_id identifies the node: NodeGetInfo of %s answered %q, and after the driver was restarted %q", node, before[i].GetNodeId(), again.GetNodeId())
				suite.Must("NI-14", constrained || again.GetAccessibleTopology() == nil, "NodeGetInfo of %s answers with accessible_topology, and GetPluginCapabilities does not list VOLUME_ACCESSIBILITY_CONSTRAINTS after the driver was restarted", node)
				suite.Should(ctx, "NI-05", proto.Equal(again, before[i]), "the plugin must not rely on being asked again: NodeGetInfo of %s answered %s, and after the driver was restarted %s", node, before[i], again)
			}
		},
	}
}

// attached uses a second node if possible: refusals there show that a volume is attached.
func attached() harness.Case {
	return harness.Case{
		ID:           "restart_attached",
		Text:         "keeps volumes attached over a restart: refuses what it refused before, answers a repeated call as before, and detaches them",
		Requirements: []string{"CP-04", "CP-05", "CP-22", "CP-34", "CU-05", "NI-05"},
		Needs:        harness.Needs(needs(1, csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME), harness.Nodes(1)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, forTwo(driver))
			node = publication.For(node, volume)
			request := publication.AttachRequest(driver, volume, node)
			before := harness.NeedOK(driver.Controller.ControllerPublishVolume(ctx, request))
			second := secondOf(ctx, driver, volume, node)

			harness.RestartDriver(ctx, driver)

			if second != nil {
				_, err := driver.Controller.ControllerPublishVolume(ctx, second)
				suite.Must("CP-34", err != nil, "volume %s is attached to %s, and ControllerPublishVolume to node %s was FAILED_PRECONDITION; then the driver was restarted, and the same call was answered OK", volume.GetVolumeId(), node, second.GetNodeId())
			}
			again, err := driver.Controller.ControllerPublishVolume(ctx, request)
			harness.ExpectOK("CP-05", err, fmt.Sprintf("volume %s was attached to %s, the driver was restarted, and ControllerPublishVolume was repeated", volume.GetVolumeId(), node))
			suite.Must("CP-22", maps.Equal(again.GetPublishContext(), before.GetPublishContext()), "publish_context of volume %s on %s was %s, and is %s after the driver was restarted", volume.GetVolumeId(), node, describe.Map(before.GetPublishContext()), describe.Map(again.GetPublishContext()))
			expectSameLimit(ctx, node)
			_, err = driver.Controller.ControllerUnpublishVolume(ctx, publication.DetachRequest(driver, volume, node))
			harness.ExpectOK("CU-05", err, fmt.Sprintf("volume %s was attached to %s before the driver was restarted, and is detached", volume.GetVolumeId(), node))
		},
	}
}

// expectSameLimit warns about a node that reports a lower limit since it was started while volumes were attached to it.
// NodeGetInfo is called at each start, and schedulers subtract the attached volumes from the limit.
func expectSameLimit(ctx context.Context, node *harness.Node) {
	if node.MaxVolumes == 0 {
		return
	}
	info := harness.NeedOK(node.NodeGetInfo(ctx, &csi.NodeGetInfoRequest{}))
	suite.Should(ctx, "NI-05", info.GetMaxVolumesPerNode() >= node.MaxVolumes,
		"max_volumes_per_node is the limit, whatever is attached: NodeGetInfo of %s answered %d at the beginning of the run, and %d after the driver was restarted while a volume was attached", node, node.MaxVolumes, info.GetMaxVolumesPerNode())
}

// forTwo requests a volume that two nodes reach, if that is possible.
func forTwo(driver *harness.Driver) model.Request {
	first := driver.Nodes[0]
	for _, other := range driver.Nodes[1:] {
		if !first.Segment.Equal(other.Segment) && driver.Room.Makes(2, first.Segment, other.Segment) {
			return driver.Volume(2).Within(first.Segment, other.Segment)
		}
	}
	return driver.VolumeFor(first)
}

// secondOf returns the call that attaches the volume to a second node, if one can reach it and the call is
// FAILED_PRECONDITION now; nil otherwise.
func secondOf(ctx context.Context, driver *harness.Driver, volume *csi.Volume, node *harness.Node) *csi.ControllerPublishVolumeRequest {
	for _, other := range driver.Nodes {
		if other == node || !publication.MayReach(other, volume) {
			continue
		}
		request := publication.AttachRequest(driver, volume, other)
		if _, err := driver.Controller.ControllerPublishVolume(ctx, request); status.Code(err) == codes.FailedPrecondition {
			return request
		}
		break // it attaches the volume to both, or refuses it by a code that other cases judge
	}
	suite.Reduced(ctx, "whether the volume is still attached was not checked: no second node was given where attaching it is refused meanwhile")
	return nil
}

// published undoes the staging and publication from before a restart: once after repeating the calls, as the kubelet does
// when it starts, and once without, as it does for a pod that was removed meanwhile.
func published() harness.Case {
	return harness.Case{
		ID:           "restart_published",
		Text:         "repeats, and undoes, the publication of a volume on a node that was published before a restart",
		Requirements: []string{"NS-04", "NS-06", "NS-13", "NS-16"},
		Needs:        harness.Needs(needs(1), harness.Nodes(1)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
			node = publication.For(node, volume)
			for _, repeats := range []bool{true, false} {
				staged := publication.Stage(ctx, node, volume)
				request := publication.Request(ctx, node, staged)
				harness.NeedOK(node.NodePublishVolume(ctx, request))

				harness.RestartDriver(ctx, driver)

				what := fmt.Sprintf("volume %s was published by %s at %s, and the driver was restarted", volume.GetVolumeId(), node, request.GetTargetPath())
				if repeats {
					repeatOnNode(ctx, node, staged, request, what)
				}
				undoOnNode(ctx, node, staged, request, what)
			}
		},
	}
}

func repeatOnNode(ctx context.Context, node *harness.Node, staged *csi.NodeStageVolumeRequest, request *csi.NodePublishVolumeRequest, what string) {
	if node.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		_, err := node.NodeStageVolume(ctx, staged)
		harness.ExpectOK("NS-04", err, what+": NodeStageVolume was repeated, and is idempotent")
	}
	_, err := node.NodePublishVolume(ctx, request)
	harness.ExpectOK("NS-13", err, what+": NodePublishVolume was repeated, and is idempotent")
}

func undoOnNode(ctx context.Context, node *harness.Node, staged *csi.NodeStageVolumeRequest, request *csi.NodePublishVolumeRequest, what string) {
	_, err := node.NodeUnpublishVolume(ctx, &csi.NodeUnpublishVolumeRequest{VolumeId: request.GetVolumeId(), TargetPath: request.GetTargetPath()})
	harness.ExpectOK("NS-16", err, what+": NodeUnpublishVolume undoes what NodePublishVolume did")
	if mounted, known := data.Mounted(ctx, node, request.GetTargetPath()); known {
		suite.Must("NS-16", !mounted, "%s: NodeUnpublishVolume was OK, and something is still mounted there", what)
	}
	if !node.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		return
	}
	_, err = node.NodeUnstageVolume(ctx, &csi.NodeUnstageVolumeRequest{VolumeId: request.GetVolumeId(), StagingTargetPath: staged.GetStagingTargetPath()})
	harness.ExpectOK("NS-06", err, what+": NodeUnstageVolume undoes what NodeStageVolume did")
	evidence := data.IsStaged(ctx, node, staged)
	suite.Must("NS-06", evidence == "", "%s: NodeUnstageVolume was OK, and the volume is still at %s: %s", what, staged.GetStagingTargetPath(), evidence)
}
