// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// secondTargets returns the cases about a second path of a node. A table of NodePublishVolume says by SHOULD whether a
// volume can be published there: one for a single writer cannot, and one for several can, read-only as well.
func secondTargets() []harness.Case {
	newModes := needsNewModes()
	var cases []harness.Case
	for _, variant := range []struct {
		id, text string
		mode     csi.VolumeCapability_AccessMode_Mode
		needs    []harness.Need
		want     codes.Code
	}{
		{"publish_second_target", "should refuse a second target path for a volume of SINGLE_NODE_WRITER", csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER, needsNode(), codes.FailedPrecondition},
		{"publish_second_target_single_writer", "should refuse a second target path for a volume of SINGLE_NODE_SINGLE_WRITER", csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER, newModes, codes.FailedPrecondition},
		{"publish_second_target_multi_writer", "should publish a volume of SINGLE_NODE_MULTI_WRITER at a second target path", csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER, newModes, codes.OK},
		{"publish_second_target_multi_node", "should publish a volume of MULTI_NODE_MULTI_WRITER at a second target path", csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER, needsNode(), codes.OK},
	} {
		cases = append(cases, harness.Case{
			ID:           variant.id,
			Text:         variant.text,
			Requirements: []string{"NS-14"},
			Needs:        variant.needs,
			Run: func(ctx context.Context, driver *harness.Driver) {
				node := driver.Nodes[0]
				volume, capability := driver.NeedVolumeOf(ctx, driver.VolumeFor(node), variant.mode)
				first := publication.PublishAs(ctx, node, volume, capability)
				for _, readOnly := range []bool{false, true} {
					second := proto.CloneOf(first)
					second.TargetPath, second.Readonly = node.TargetPath(ctx), readOnly
					warnUnlessAnswered(ctx, node, second, variant.want)
				}
			},
		})
	}
	return append(cases, harness.Case{
		ID:           "publish_other_capability",
		Text:         "should return FAILED_PRECONDITION for a second target path with another volume_capability",
		Requirements: []string{"NS-27"},
		Needs:        needsNode(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			reader := driver.Reader()
			volume := driver.NeedVolumeWith(ctx, driver.VolumeFor(node), driver.Capability(), reader)
			second := proto.CloneOf(publication.PublishAs(ctx, node, volume, driver.Capability()))
			second.TargetPath, second.VolumeCapability = node.TargetPath(ctx), reader

			got := publish(ctx, node, second)

			suite.Should(ctx, "NS-27", status.Code(got) == codes.FailedPrecondition, "volume %s is published with %s, and NodePublishVolume with SINGLE_NODE_READER_ONLY at another path should be FAILED_PRECONDITION\ngot: %s",
				volume.GetVolumeId(), driver.Profile().Plain().Mode(), describe.Status(got))
		},
	}, harness.Case{
		ID:           "publish_second_target_other_mode",
		Text:         "should return FAILED_PRECONDITION for SINGLE_NODE_SINGLE_WRITER at a second target path of a volume that is published with SINGLE_NODE_MULTI_WRITER",
		Requirements: []string{"NS-14", "NS-27"},
		Needs:        newModes,
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			several := messages.As(driver.Capability(), csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER)
			single := messages.As(driver.Capability(), csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER)
			volume := driver.NeedVolumeWith(ctx, driver.VolumeFor(node), several, single)
			second := proto.CloneOf(publication.PublishAs(ctx, node, volume, several))
			second.TargetPath, second.VolumeCapability = node.TargetPath(ctx), single

			got := publish(ctx, node, second)

			suite.Should(ctx, "NS-27", status.Code(got) == codes.FailedPrecondition, "volume %s is published with SINGLE_NODE_MULTI_WRITER, and NodePublishVolume with SINGLE_NODE_SINGLE_WRITER at another path should be FAILED_PRECONDITION\ngot: %s",
				volume.GetVolumeId(), describe.Status(got))
		},
	})
}

// needsNewModes returns the needs of a case that distinguishes one writer of a node from several.
func needsNewModes() []harness.Need {
	return harness.Needs(needsNode(), harness.Claims(csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER), harness.NodeClaims(csi.NodeServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER))
}

// warnUnlessAnswered publishes a volume at a second path, unpublishes it, and warns if the code is not the wanted one.
func warnUnlessAnswered(ctx context.Context, node *harness.Node, second *csi.NodePublishVolumeRequest, want codes.Code) {
	got := publish(ctx, node, second)
	if got == nil {
		harness.NeedOK(node.NodeUnpublishVolume(ctx, &csi.NodeUnpublishVolumeRequest{VolumeId: second.GetVolumeId(), TargetPath: second.GetTargetPath()}))
	}
	if status.Code(got) == want {
		return
	}
	mode, advice := second.GetVolumeCapability().GetAccessMode().GetMode(), ""
	claimed := node.Driver.Claims(csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER) && node.Claims(csi.NodeServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER)
	if want == codes.FailedPrecondition && got == nil && !claimed {
		advice = "\nWithout SINGLE_NODE_MULTI_WRITER, pods on one node can share a ReadWriteOnce claim only by this answer: claim it, and refuse a second path for SINGLE_NODE_SINGLE_WRITER"
	}
	suite.Warn(ctx, "NS-14", "volume %s of %s is published at one path, and at a second one with readonly = %t should be %s\ngot: %s%s", second.GetVolumeId(), mode, second.GetReadonly(), name(want), describe.Status(got), advice)
}
