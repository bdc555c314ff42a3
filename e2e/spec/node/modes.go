// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// accessModes returns the cases about the access modes of newer COs and plugins: one writer or several, and a group.
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
