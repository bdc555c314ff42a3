// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"fmt"
	"path"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// longPaths returns the cases about paths, which have separate limits. The cases about NodeExpandVolume are in another
// package.
func longPaths() []harness.Case {
	return []harness.Case{{
		ID:           "long_paths",
		Text:         "stages, publishes, unpublishes and unstages a volume at paths of 128 bytes",
		Requirements: []string{"NS-18", "NV-08"},
		Needs:        needsNode(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			const atLeast = 128
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
			useAt(ctx, node, volume, atLeast, func(clause, rpc string, err error) bool {
				harness.ExpectOK(clause, err, fmt.Sprintf("the plugin accepts paths of at least %d bytes: %s of volume %s", atLeast, rpc, volume.GetVolumeId()))
				return true
			})
		},
	}, {
		ID:           "longest_paths",
		Text:         "should stage, publish, unpublish and unstage a volume at paths of almost 4096 bytes",
		Requirements: []string{"NS-32"},
		Needs:        harness.Needs(needsNode(), harness.Attaches(2)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			const longest = 4000 // PATH_MAX is 4096, and a mount namespace may prefix the path
			node := driver.Nodes[0]
			publication.Publish(ctx, node, driver.NeedVolume(ctx, driver.VolumeFor(node))) // volumes can be used at shorter paths
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
			useAt(ctx, node, volume, longest, func(_, rpc string, err error) bool {
				suite.Should(ctx, "NS-32", err == nil, "paths of the length that the operating system allows should be accepted, and %s of volume %s did not accept one of %d bytes\ngot: %s",
					rpc, volume.GetVolumeId(), longest, describe.Status(err))
				return err == nil
			})
		},
	}}
}

// useAt uses the volume on the node at paths of that length, as a pod would. judge judges each answer by the call's name and
// the clause that demands paths of 128 bytes, and reports whether to go on.
func useAt(ctx context.Context, node *harness.Node, volume *csi.Volume, bytes int, judge func(clause, rpc string, err error) bool) {
	const name, clause = "target", "NS-18"
	staged := publication.StageRequest(ctx, node, volume, publication.Attach(ctx, node.Driver, volume, node))
	published := publication.Request(ctx, node, staged)
	staged.StagingTargetPath = node.LongPath(ctx, bytes)
	published.TargetPath = path.Join(node.LongPath(ctx, bytes-len(name)-1), name)
	if found := max(len(staged.GetStagingTargetPath()), len(published.GetTargetPath())); found > bytes {
		suite.Skip(suite.ByEnvironment, "the paths below the root of the profile's directories have %d bytes, which is more than the case needs", found)
	}
	if stages(node) {
		published.StagingTargetPath = staged.GetStagingTargetPath()
		if !judge(clause, "NodeStageVolume", stage(ctx, node, staged)) {
			return
		}
	}
	if !judge(clause, "NodePublishVolume", publish(ctx, node, published)) {
		return
	}
	fake := node.Driver.Profile().FakeNodes
	if !fake && node.Claims(csi.NodeServiceCapability_RPC_GET_VOLUME_STATS) {
		if _, err := node.NodeGetVolumeStats(ctx, statsAt(published, published.GetTargetPath())); !judge(clause, "NodeGetVolumeStats", err) {
			return
		}
	}
	if !fake && node.Claims(csi.NodeServiceCapability_RPC_GET_VOLUME_HEALTH) {
		if _, err := node.NodeGetVolumeHealth(ctx, healthOf(published)); !judge("NV-08", "NodeGetVolumeHealth", err) {
			return
		}
	}
	if judge(clause, "NodeUnpublishVolume", unpublish(ctx, node, published)) && stages(node) {
		judge(clause, "NodeUnstageVolume", unstage(ctx, node, staged))
	}
}
