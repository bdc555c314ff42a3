// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// growNodeExpansion returns the cases about volumes that no node has while they grow; grow_online checks the same for a published
// one.
func growNodeExpansion() []harness.Case {
	const text = "does not answer node_expansion_required false for a %s that stays as it was without NodeExpandVolume"
	return []harness.Case{
		growDetached("grow_node_expansion", fmt.Sprintf(text, "file system"), harness.Mount(), (*harness.Driver).Mount),
		growDetached("grow_node_expansion_block", fmt.Sprintf(text, "block device"), harness.Block(), (*harness.Driver).Block),
	}
}

// growDetached returns the case about a volume of one kind.
func growDetached(id, text string, kind []harness.Need, capabilityOf func(*harness.Driver) *csi.VolumeCapability) harness.Case {
	return harness.Case{
		ID:           id,
		Text:         text,
		Requirements: []string{"CE-15", "NE-01", "NE-27", "CR-03", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(controllerGrowth(), harness.Nodes(1), kind, harness.RealNodes()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node, capability := driver.Nodes[0], capabilityOf(driver)
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node), capability)
			request := growth.ControllerRequest(driver, volume, larger(driver, volume))
			request.VolumeCapability = capability

			grown := mustGrow(ctx, driver, volume, request, "CE-01")

			if grown.GetNodeExpansionRequired() { // a repeated call answers the same, until the node has done it
				grown = mustGrow(ctx, driver, volume, request, "CE-01")
			}
			if grown.GetNodeExpansionRequired() {
				expectExpandsOnNode(ctx, node, volume, request)
				return
			}
			expectGrownAlone(ctx, node, volume, request, publication.PublishAs(ctx, node, volume, capability))
		},
	}
}

// expectExpandsOnNode warns of a driver that leaves the expansion to nodes that do not support it, and otherwise expands the
// volume on the node.
func expectExpandsOnNode(ctx context.Context, node *harness.Node, volume *csi.Volume, request *csi.ControllerExpandVolumeRequest) {
	if !node.Claims(csi.NodeServiceCapability_RPC_EXPAND_VOLUME) {
		suite.Warn(ctx, "CE-15", "ControllerExpandVolume answered node_expansion_required true, for which a CO calls NodeExpandVolume, and %s does not claim EXPAND_VOLUME", node)
		return
	}
	published := publication.PublishAs(ctx, node, volume, request.GetVolumeCapability())
	h := &held{driver: node.Driver, node: node, volume: volume, published: published, bytes: request.GetCapacityRange().GetRequiredBytes()}
	if h.mustGrow(ctx, h.request(), "NE-01") != nil {
		h.expectLarger(ctx, describeNodeGrowth(h.request()))
	}
}

// expectGrownAlone fails the case if a published volume for which the controller answered that no expansion on the node
// is required is no larger there than before it grew.
func expectGrownAlone(ctx context.Context, node *harness.Node, volume *csi.Volume, request *csi.ControllerExpandVolumeRequest, published *csi.NodePublishVolumeRequest) {
	before, asked := sizeOf(node.Driver, volume), request.GetCapacityRange().GetRequiredBytes()
	if asked < before+before/2 {
		suite.Reduced(ctx, "the volume grew from %d to %d bytes, too little for a file system to show: set grownBytes in the profile to more", before, asked)
		return
	}
	var total int64
	var told bool
	larger := node.Driver.Settled(ctx, effect.NodeGrowth, func() bool {
		total, told = data.TotalBytes(ctx, node, published)
		return !told || total > before
	})
	if !told {
		suite.Reduced(ctx, "NodeGetVolumeStats does not return the size of the volume: whether it has grown on the node cannot be seen")
		return
	}
	suite.Must("CE-15", larger, "ControllerExpandVolume to %d bytes answered node_expansion_required false, and NodeGetVolumeStats has %d bytes in total: the volume had %d before it grew, and no CO calls NodeExpandVolume for it%s",
		asked, total, before, data.HintAtFake(ctx, node, published))
}
