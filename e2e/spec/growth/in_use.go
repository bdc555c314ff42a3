// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// inUse returns the cases about the growth of a published volume, which the plugin's VolumeExpansion allows or excludes.
func inUse() []harness.Case {
	return []harness.Case{growOnline(), growOnTwoNodes(), growPublishedOffline()}
}

func growOnline() harness.Case {
	return harness.Case{
		ID:           "grow_online",
		Text:         "grows a published volume if it claims ONLINE expansion, on the node too if it does not say that NodeExpandVolume has to",
		Requirements: []string{"PC-07", "CE-04", "CE-13", "CE-15", "CR-03", "CR-05"},
		Needs:        harness.Needs(harness.Expansion(csi.PluginCapability_VolumeExpansion_ONLINE), controllerGrowth(), harness.Nodes(1)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
			published := publication.Publish(ctx, node, volume)
			request := growth.ControllerRequest(driver, volume, larger(driver, volume))

			response, err := driver.Controller.ControllerExpandVolume(ctx, request)

			if err != nil {
				mustGrowInUse(ctx, driver, node, volume, published, request, err)
				return
			}
			expectAtLeast(response.GetCapacityBytes(), request.GetCapacityRange())
			expectReported(ctx, driver, volume, response.GetCapacityBytes())
			if response.GetNodeExpansionRequired() { // a repeated call answers the same, until the node has done it
				if again, err := driver.Controller.ControllerExpandVolume(ctx, request); err == nil {
					response = again
				}
			}
			if !response.GetNodeExpansionRequired() && published.GetVolumeCapability().GetMount() != nil && !driver.Profile().FakeNodes {
				expectGrownAlone(ctx, node, volume, request, published)
			}
			expectExact(ctx, driver, volume, request, response.GetCapacityBytes())
		},
	}
}

// growOnTwoNodes grows a volume that is attached to a second node as well. Other cases judge whether it can be attached
// there.
func growOnTwoNodes() harness.Case {
	return harness.Case{
		ID:           "grow_online_two_nodes",
		Text:         "grows a volume that is published to a node and attached to another if it claims ONLINE expansion",
		Requirements: []string{"PC-07", "CE-04", "CE-13", "CR-03", "CR-05"},
		Needs:        harness.Needs(harness.Expansion(csi.PluginCapability_VolumeExpansion_ONLINE), controllerGrowth(), harness.Nodes(2), harness.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume, _ := driver.NeedVolumeOf(ctx, publication.ForTwo(driver), csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER)
			one, other := publication.TwoOf(driver, volume)
			published := publication.Publish(ctx, one, volume)
			if _, err := driver.Controller.ControllerPublishVolume(ctx, publication.AttachRequest(driver, volume, other)); err != nil {
				suite.Skip(suite.ByCapability, "volume %s cannot be attached to %s besides %s: %s", volume.GetVolumeId(), other, one, describe.Status(err))
			}
			request := growth.ControllerRequest(driver, volume, larger(driver, volume))

			response, err := driver.Controller.ControllerExpandVolume(ctx, request)

			if err != nil {
				mustGrowInUse(ctx, driver, one, volume, published, request, err, other)
				return
			}
			expectAtLeast(response.GetCapacityBytes(), request.GetCapacityRange())
			expectReported(ctx, driver, volume, response.GetCapacityBytes())
			expectExact(ctx, driver, volume, request, response.GetCapacityBytes())
		},
	}
}

// mustGrowInUse ends the case after the growth of a published volume was refused. It fails the case if the publication is the
// reason: the code says so, or the volume grows once it is not published, and not attached to the others.
func mustGrowInUse(ctx context.Context, driver *harness.Driver, node *harness.Node, volume *csi.Volume, published *csi.NodePublishVolumeRequest, request *csi.ControllerExpandVolumeRequest, refused error, others ...*harness.Node) {
	const online = "a plugin with ONLINE expansion must grow published volumes, and ControllerExpandVolume of %s was refused\ngot: %s"
	asked := describe.Range(request.GetCapacityRange())
	suite.Must("PC-07", status.Code(refused) != codes.FailedPrecondition, online, asked, describe.Status(refused))
	harness.NeedRoomOfOthers(driver, request, refused)
	publication.TakeAway(ctx, node, volume, published)
	for _, other := range others {
		harness.NeedOK(driver.Controller.ControllerUnpublishVolume(ctx, publication.DetachRequest(driver, volume, other)))
	}
	mustGrow(ctx, driver, volume, request, "CE-01")
	suite.Fail("PC-07", online+"\nit is OK once the volume is not published", asked, describe.Status(refused))
}

// growPublishedOffline tests plugins that claim OFFLINE and not ONLINE: their published volumes are not expanded. For
// one that claims neither, claims_expansion warns.
func growPublishedOffline() harness.Case {
	return harness.Case{
		ID:           "grow_published_offline",
		Text:         "refuses to grow a published volume if it claims OFFLINE expansion only",
		Requirements: []string{"CE-18", "PC-09", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Expansion(csi.PluginCapability_VolumeExpansion_OFFLINE), harness.NoExpansion(csi.PluginCapability_VolumeExpansion_ONLINE), controllerGrowth(), harness.Nodes(1), harness.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
			publication.Publish(ctx, node, volume)
			before := driver.Held.Watch(ctx)

			_, err := driver.Controller.ControllerExpandVolume(ctx, growth.ControllerRequest(driver, volume, larger(driver, volume)))

			suite.Must("PC-09", err != nil, "a plugin with OFFLINE expansion only does not expand published volumes, and ControllerExpandVolume of one answered OK")
			harness.ExpectRefused(ctx, "CE-18", err, "expanding a volume that cannot be expanded while it is published is FAILED_PRECONDITION", codes.FailedPrecondition)
			expectUnchanged(ctx, driver, before, volume)
		},
	}
}

// capabilities returns the cases about volume_capability, which is optional.
func capabilities() []harness.Case {
	return []harness.Case{growNoCapability(), growBlock()}
}

// growNoCapability leaves volume_capability out. That a CO may do so binds no plugin: a refusal is a warning.
func growNoCapability() harness.Case {
	return harness.Case{
		ID:           "grow_no_capability",
		Text:         "should grow a volume without volume_capability",
		Requirements: []string{"CE-01", "CE-12", "CE-13", "CR-03"},
		Needs:        controllerGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			request := growth.ControllerRequest(driver, volume, larger(driver, volume))
			request.VolumeCapability = nil

			response, err := driver.Controller.ControllerExpandVolume(ctx, request)

			if err != nil {
				harness.NeedRoomOfOthers(driver, request, err)
				request.VolumeCapability = driver.Capability()
				mustGrow(ctx, driver, volume, request, "CE-01")
				suite.Warn(ctx, "CE-12", "volume_capability is OPTIONAL, and ControllerExpandVolume of %s, which is OK with it, was refused without\ngot: %s",
					describe.Range(request.GetCapacityRange()), describe.Status(err))
				return
			}
			expectAtLeast(response.GetCapacityBytes(), request.GetCapacityRange())
			expectReported(ctx, driver, volume, response.GetCapacityBytes())
		},
	}
}

// growBlock grows a raw block volume. node_expansion_required may be true or false.
func growBlock() harness.Case {
	return harness.Case{
		ID:           "grow_block",
		Text:         "grows a block volume, with or without node_expansion_required, and keeps its size when asked for less",
		Requirements: []string{"CE-01", "CE-03", "CE-11", "CE-12", "CE-13", "CR-03", "CR-05", "CV-06", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(controllerGrowth(), harness.Block()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1), driver.Block())
			request := growth.ControllerRequest(driver, volume, larger(driver, volume))
			request.VolumeCapability = driver.Block()

			grown := mustGrow(ctx, driver, volume, request, "CE-01")

			expectReported(ctx, driver, volume, grown.GetCapacityBytes())
			expectKept(ctx, driver, volume, request, expectExact(ctx, driver, volume, request, grown.GetCapacityBytes()))
		},
	}
}
