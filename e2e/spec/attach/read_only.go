// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// attachingReadOnly returns the cases about a plugin with PUBLISH_READONLY, which attaches volumes read-only. A volume
// is not attached both ways to one node.
func attachingReadOnly() []harness.Case {
	needs := harness.Needs(needs(1), harness.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_READONLY))
	return []harness.Case{{
		ID:           "attach_read_only",
		Text:         "attaches a volume read-only, and returns ALREADY_EXISTS when asked to attach it read-write",
		Requirements: []string{"CP-05", "CP-14", "CP-22", "CP-29", "CP-33", "GEN-15", "GEN-16"},
		Needs:        needs,
		Run:          attachBothWays(true),
	}, {
		ID:           "attach_again_read_only",
		Text:         "attaches a volume read-write, and returns ALREADY_EXISTS when asked to attach it read-only",
		Requirements: []string{"CP-05", "CP-22", "CP-29", "CP-33", "GEN-15", "GEN-16"},
		Needs:        needs,
		Run:          attachBothWays(false),
	}, {
		ID:           "attach_read_only_protects",
		Text:         "does not let a workload write to a volume that is attached read-only",
		Requirements: []string{"CP-14"},
		Needs:        harness.Needs(needs, harness.Data()),
		Run:          writeWhereAttachedReadOnly,
	}, {
		ID:           "attach_read_only_published",
		Text:         "should publish on its node a volume that is attached read-only",
		Requirements: []string{"CP-11", "CP-14", "CU-10"},
		Needs:        needs,
		Run:          publishWhereAttachedReadOnly,
	}}
}

func attachBothWays(readOnly bool) func(context.Context, *harness.Driver) {
	return func(ctx context.Context, driver *harness.Driver) {
		harness.Meet(ctx, driver, harness.Writer())
		node := driver.Nodes[0]
		request := publication.AttachRequest(driver, driver.NeedVolume(ctx, driver.VolumeFor(node)), node)
		request.Readonly = readOnly
		first, err := driver.Controller.ControllerPublishVolume(ctx, request)
		if !readOnly {
			harness.NeedOK(first, err)
		}
		harness.ExpectOK("CP-14", err, "a plugin with PUBLISH_READONLY attaches volumes read-only")
		expectAgain(ctx, driver, request, first.GetPublishContext())

		request.Readonly = !readOnly

		harness.ExpectRefused(ctx, "CP-33", attach(ctx, driver, request), fmt.Sprintf("a volume that is attached with readonly = %t is incompatible with readonly = %t", readOnly, !readOnly), codes.AlreadyExists)
	}
}

// writeWhereAttachedReadOnly asks the node to publish read-write a volume that the controller has attached read-only. Any
// refusal protects the volume; if the call is OK, writing must fail.
func writeWhereAttachedReadOnly(ctx context.Context, driver *harness.Driver) {
	node := driver.Nodes[0]
	volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
	request := publication.AttachRequest(driver, volume, node)
	request.Readonly = true
	attached, err := driver.Controller.ControllerPublishVolume(ctx, request)
	harness.ExpectOK("CP-14", err, "a plugin with PUBLISH_READONLY attaches volumes read-only")
	staged := publication.StageRequest(ctx, node, volume, attached.GetPublishContext())
	if node.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		if _, err := node.NodeStageVolume(ctx, staged); err != nil {
			return
		}
	}
	published := publication.Request(ctx, node, staged)
	if _, err := node.NodePublishVolume(ctx, published); err != nil {
		return
	}
	if data.TryWrite(ctx, node, published, "written by csi-topo") != nil {
		return
	}
	if mounted, known := data.Mounted(ctx, node, published.GetTargetPath()); known && !mounted {
		suite.Skip(suite.ByEnvironment, "nothing is mounted at target_path, so whether the volume is read-only cannot be seen")
	}
	suite.Fail("CP-14", "volume %s is attached to %s with readonly = true, and was written to at %s", volume.GetVolumeId(), node, published.GetTargetPath())
}

// publishWhereAttachedReadOnly publishes the volume read-write first, because a driver may have to make its file system. The
// specification does not say that a node can publish a volume that is attached read-only, though it has no other use.
func publishWhereAttachedReadOnly(ctx context.Context, driver *harness.Driver) {
	harness.Meet(ctx, driver, harness.Writer())
	node := driver.Nodes[0]
	volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
	publication.TakeAway(ctx, node, volume, publication.Publish(ctx, node, volume))
	request := publication.AttachRequest(driver, volume, node)
	request.Readonly = true
	attached, err := driver.Controller.ControllerPublishVolume(ctx, request)
	suite.Must("CU-10", status.Code(err) != codes.AlreadyExists, "ControllerUnpublishVolume of volume %s from %s was OK, and the volume could not be attached there read-only, because it was still attached in another way\ngot: %s",
		volume.GetVolumeId(), node, describe.Status(err))
	harness.NeedOK(attached, err) // which attach_read_only judges
	staged := publication.StageRequest(ctx, node, volume, attached.GetPublishContext())
	published := publication.Request(ctx, node, staged)
	published.Readonly = true

	if node.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		_, err = node.NodeStageVolume(ctx, staged)
	}
	if err == nil {
		_, err = node.NodePublishVolume(ctx, published)
	}

	suite.Should(ctx, "CP-14", err == nil, "volume %s is attached to %s with readonly = true, and cannot be published there with readonly = true\ngot: %s", volume.GetVolumeId(), node, describe.Status(err))
}
