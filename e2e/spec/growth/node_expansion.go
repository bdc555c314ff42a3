// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// growNodeExpansion is about volumes that no node has while they grow; grow_online checks the same for a published one.
func growNodeExpansion() harness.Case {
	return harness.Case{
		ID:           "grow_node_expansion",
		Text:         "does not answer node_expansion_required false for a file system that stays as it was without NodeExpandVolume",
		Requirements: []string{"CE-15"},
		Needs:        harness.Needs(controllerGrowth(), harness.Nodes(1), harness.Mount(), harness.RealNodes()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node, capability := driver.Nodes[0], driver.Mount()
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node), capability)
			request := growth.ControllerRequest(driver, volume, larger(driver, volume))
			request.VolumeCapability = capability

			grown := mustGrow(ctx, driver, volume, request, "CE-01")

			if grown.GetNodeExpansionRequired() { // which a repetition says as well, until the node has done it
				grown = mustGrow(ctx, driver, volume, request, "CE-01")
			}
			if grown.GetNodeExpansionRequired() {
				expectExpandsOnNode(ctx, node)
				return
			}
			expectGrownAlone(ctx, node, volume, request, publication.PublishAs(ctx, node, volume, capability))
		},
	}
}

// expectExpandsOnNode warns of a driver that leaves to its nodes what they do not do.
func expectExpandsOnNode(ctx context.Context, node *harness.Node) {
	suite.Should(ctx, "CE-15", node.Claims(csi.NodeServiceCapability_RPC_EXPAND_VOLUME),
		"ControllerExpandVolume answered node_expansion_required true, for which a CO calls NodeExpandVolume, and %s does not claim EXPAND_VOLUME", node)
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
