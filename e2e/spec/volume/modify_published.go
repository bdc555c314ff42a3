// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// attachWhereReached attaches the volume to the first node that reaches it, and returns the node; nil if the driver
// attaches no volumes, or no node is known to reach it.
func attachWhereReached(ctx context.Context, driver *harness.Driver, volume *csi.Volume) *harness.Node {
	reaching, _ := publication.Reaching(driver, volume.GetAccessibleTopology())
	if !driver.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) || len(reaching) == 0 || reaching[0].ID == "" {
		return nil
	}
	publication.Attach(ctx, driver, volume, reaching[0])
	return reaching[0]
}

// modifyUnsupported adds a parameter that no driver has: none must be applied, not even to a published volume. A driver that
// ignores it hides a mistake.
func modifyUnsupported() harness.Case {
	return harness.Case{
		ID:           "modify_unsupported",
		Text:         "returns INVALID_ARGUMENT for a mutable parameter that it does not support, and modifies nothing",
		Requirements: []string{"MV-04", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(mutableNeeds(), harness.Attaches(1)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := mustCreate(ctx, driver, creation(driver))
			before := confirmsMutable(ctx, driver, volume)

			refused := expectUnmodified(ctx, driver, volume, before, codes.InvalidArgument)

			if refused && attachWhereReached(ctx, driver, volume) != nil {
				// A driver may first check whether it can modify a volume that is published.
				expectUnmodified(ctx, driver, volume, before, codes.InvalidArgument, codes.FailedPrecondition)
			}
		},
	}
}

// expectUnmodified requests the mutable parameters of the profile and one more, and reports whether that was refused,
// with one of the codes. before reports that the volume was confirmed to have the parameters of the profile.
func expectUnmodified(ctx context.Context, driver *harness.Driver, volume *csi.Volume, before bool, with ...codes.Code) (refused bool) {
	request := modification(driver, volume)
	request.MutableParameters["csi-topo-no-such-parameter"] = "1"

	_, err := driver.Controller.ControllerModifyVolume(ctx, request)

	if err == nil {
		suite.Warn(ctx, "MV-04", "ControllerModifyVolume accepted a mutable parameter that no driver has: that hides a mistake of the caller")
		return false
	}
	harness.ExpectRefused(ctx, "MV-04", err, "a mutable parameter that is not supported is INVALID_ARGUMENT", with...)
	if before {
		suite.Reduced(ctx, "ValidateVolumeCapabilities confirms mutable parameters of any volume, so that nothing shows whether they were applied")
		return true
	}
	suite.Must("MV-04", !confirmsMutable(ctx, driver, volume), "ControllerModifyVolume was refused for one parameter, and the others were applied, as ValidateVolumeCapabilities confirms")
	return true
}

// modifyKeepsTheRest modifies a volume that has grown and is published: its size and its nodes are not mutable parameters. A
// driver may modify no volume that is published.
func modifyKeepsTheRest() harness.Case {
	return harness.Case{
		ID:           "modify_keeps_the_rest",
		Text:         "keeps the size that a volume has grown to, and the node that it is published to, when the volume is modified",
		Requirements: []string{"MV-06"},
		Needs:        harness.Needs(mutableNeeds(), harness.Attaches(1)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := mustCreate(ctx, driver, creation(driver))
			growth.Grow(ctx, driver, volume, growth.Size(driver), driver.CapabilityOf(volume))
			node := attachWhereReached(ctx, driver, volume)
			sizes, nodes := listing.Reported(ctx, driver, volume.GetVolumeId()), listing.PublishedNodes(ctx, driver, volume.GetVolumeId())
			if len(sizes)+len(nodes) == 0 {
				suite.Skip(suite.ByCapability, "no call shows the size of a volume, or where it is published: the driver does not claim GET_VOLUME, and %s", driver.WhyVolumesUnlisted())
			}

			response, err := driver.Controller.ControllerModifyVolume(ctx, modification(driver, volume))
			if node != nil && status.Code(err) == codes.FailedPrecondition {
				suite.Skip(suite.ByCapability, "the driver modifies no volume that is published: %s", describe.Status(err))
			}
			harness.NeedOK(response, err)

			expectNotSmaller(ctx, driver, volume, sizes)
			if node != nil {
				expectStillPublished(ctx, driver, volume, node, nodes)
			}
		},
	}
}

// expectNotSmaller fails the case if a call shows a smaller size of the volume than before it was modified. A size of 0 is unknown.
func expectNotSmaller(ctx context.Context, driver *harness.Driver, volume *csi.Volume, before map[string]*csi.Volume) {
	var smaller string
	var is int64
	kept := driver.Settled(ctx, effect.Growth, func() bool {
		smaller = ""
		for call, now := range listing.Reported(ctx, driver, volume.GetVolumeId()) {
			if bytes := now.GetCapacityBytes(); bytes > 0 && bytes < before[call].GetCapacityBytes() {
				smaller, is = call, bytes
			}
		}
		return smaller == ""
	})
	suite.Must("MV-06", kept, "only the keys that ControllerModifyVolume names are modified, and the size of volume %s is not one of them\n%s reported %d bytes before, and reports %d",
		volume.GetVolumeId(), smaller, before[smaller].GetCapacityBytes(), is)
}

// expectStillPublished fails the case if a call that showed the volume as published to the node no longer does.
func expectStillPublished(ctx context.Context, driver *harness.Driver, volume *csi.Volume, node *harness.Node, before map[string][]string) {
	var lost string
	kept := driver.Settled(ctx, effect.Attachment, func() bool {
		lost = ""
		for call, now := range listing.PublishedNodes(ctx, driver, volume.GetVolumeId()) {
			if slices.Contains(before[call], node.ID) && !slices.Contains(now, node.ID) {
				lost = call
			}
		}
		return lost == ""
	})
	suite.Must("MV-06", kept, "only the keys that ControllerModifyVolume names are modified, and where volume %s is published is not one of them\n%s had %s among published_node_ids before, and no longer does",
		volume.GetVolumeId(), lost, node.ID)
}
