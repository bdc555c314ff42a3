// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"fmt"
	"path"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// A volume can be used as newer COs and plugins say: by one writer or several, and for a group.
func accessModes() []harness.Case {
	newModes, group := needsNode(), needsNode()
	newModes = harness.Needs(newModes, harness.Claims(csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER), harness.NodeClaims(csi.NodeServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER))
	group = harness.Needs(group, harness.NodeClaims(csi.NodeServiceCapability_RPC_VOLUME_MOUNT_GROUP), harness.Mount())
	return []harness.Case{{
		ID:           "publish_single_node_writer",
		Text:         "publishes a volume with SINGLE_NODE_WRITER if it claims SINGLE_NODE_MULTI_WRITER",
		Requirements: []string{"NS-31"},
		Needs:        newModes,
		Run: func(ctx context.Context, driver *harness.Driver) {
			capability := messages.As(driver.Capability(), csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER)
			expectUsable(ctx, driver, "NS-31", capability, "a plugin with SINGLE_NODE_MULTI_WRITER accepts and allows SINGLE_NODE_WRITER, for older COs")
		},
	}, {
		ID:           "publish_mount_group",
		Text:         "publishes a volume with a volume_mount_group if it claims VOLUME_MOUNT_GROUP",
		Requirements: []string{"NS-30"},
		Needs:        group,
		Run: func(ctx context.Context, driver *harness.Driver) {
			const group = "3000"
			capability := driver.Mount()
			capability.GetMount().VolumeMountGroup = group
			expectUsable(ctx, driver, "NS-30", capability, "a plugin with VOLUME_MOUNT_GROUP passes volume_mount_group to the mount")
		},
	}}
}

// expectUsable expects each call that publishes a volume with the capability to be OK.
func expectUsable(ctx context.Context, driver *harness.Driver, clause string, capability *csi.VolumeCapability, why string) {
	node := driver.Nodes[0]
	request := driver.CreateVolumeRequest(driver.VolumeFor(node))
	request.VolumeCapabilities = []*csi.VolumeCapability{capability}
	created, err := driver.Controller.CreateVolume(ctx, request)
	if status.Code(err) == codes.ResourceExhausted {
		suite.Skip(suite.ByEnvironment, "there is no room for a volume: %s", describe.Status(err))
	}
	harness.ExpectOK(clause, err, fmt.Sprintf("%s: CreateVolume with %s", why, describe.Capability(capability)))
	volume := created.GetVolume()
	publication.PublishJudged(ctx, node, volume, capability, func(rpc string, err error) {
		harness.ExpectOK(clause, err, fmt.Sprintf("%s: %s of volume %s with %s", why, rpc, volume.GetVolumeId(), describe.Capability(capability)))
	})
}

// longest is the length in bytes up to which every node RPC must accept paths.
const longest = 128

// Paths have a limit of their own. NodeExpandVolume has a case of its own in another package.
func longPaths() []harness.Case {
	return []harness.Case{{
		ID:           "long_paths",
		Text:         "stages, publishes, unpublishes and unstages a volume at paths of 128 bytes",
		Requirements: []string{"NS-18"},
		Needs:        needsNode(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			const name = "target"
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
			staged := publication.StageRequest(ctx, node, volume, publication.Attach(ctx, driver, volume, node))
			published := publication.Request(ctx, node, staged)
			staged.StagingTargetPath = node.LongPath(ctx, longest)
			published.TargetPath = path.Join(node.LongPath(ctx, longest-len(name)-1), name)
			if bytes := max(len(staged.GetStagingTargetPath()), len(published.GetTargetPath())); bytes > longest {
				suite.Skip(suite.ByEnvironment, "the paths below the root of the profile's directories have %d bytes, which is more than the case needs", bytes)
			}
			why := func(rpc string) string {
				return fmt.Sprintf("the plugin accepts paths of at least %d bytes: %s of volume %s", longest, rpc, volume.GetVolumeId())
			}

			if stages(node) {
				published.StagingTargetPath = staged.GetStagingTargetPath()
				harness.ExpectOK("NS-18", stage(ctx, node, staged), why("NodeStageVolume"))
			}
			harness.ExpectOK("NS-18", publish(ctx, node, published), why("NodePublishVolume"))
			if node.Claims(csi.NodeServiceCapability_RPC_GET_VOLUME_STATS) && !driver.Profile().FakeNodes {
				_, err := node.NodeGetVolumeStats(ctx, statsAt(published, published.GetTargetPath()))
				harness.ExpectOK("NS-18", err, why("NodeGetVolumeStats"))
			}
			harness.ExpectOK("NS-18", unpublish(ctx, node, published), why("NodeUnpublishVolume"))
			if stages(node) {
				harness.ExpectOK("NS-18", unstage(ctx, node, staged), why("NodeUnstageVolume"))
			}
		},
	}}
}
