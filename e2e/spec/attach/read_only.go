// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// A plugin with PUBLISH_READONLY attaches volumes read-only. A volume is not attached both ways to one node.
func attachingReadOnly() []harness.Case {
	needs := needs(1)
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_PUBLISH_READONLY)
	writing := needs
	writing.Data = true
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
		Needs:        writing,
		Run:          writeWhereAttachedReadOnly,
	}, {
		ID:           "attach_read_only_published",
		Text:         "should publish on its node a volume that is attached read-only",
		Requirements: []string{"CP-11", "CP-14"},
		Needs:        needs,
		Run:          publishWhereAttachedReadOnly,
	}}
}

func attachBothWays(readOnly bool) func(context.Context, *harness.Driver) {
	return func(ctx context.Context, driver *harness.Driver) {
		driver.NeedWriter()
		node := driver.Nodes[0]
		request := driver.ControllerPublishVolumeRequest(driver.NeedVolume(ctx, driver.VolumeFor(node)), node)
		request.Readonly = readOnly
		first, err := driver.Controller.ControllerPublishVolume(ctx, request)
		if !readOnly {
			harness.Need(first, err)
		}
		harness.ExpectOK("CP-14", err, "a plugin with PUBLISH_READONLY attaches volumes read-only")
		expectAgain(ctx, driver, request, first.GetPublishContext())

		request.Readonly = !readOnly

		harness.ExpectRefused(ctx, "CP-33", attach(ctx, driver, request), fmt.Sprintf("a volume that is attached with readonly = %t is incompatible with readonly = %t", readOnly, !readOnly), codes.AlreadyExists)
	}
}

// writeWhereAttachedReadOnly asks the node to publish read-write what the controller has attached read-only. Any refusal
// protects the volume; if the call is OK, writing must fail.
func writeWhereAttachedReadOnly(ctx context.Context, driver *harness.Driver) {
	node := driver.Nodes[0]
	volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
	request := driver.ControllerPublishVolumeRequest(volume, node)
	request.Readonly = true
	attached, err := driver.Controller.ControllerPublishVolume(ctx, request)
	harness.ExpectOK("CP-14", err, "a plugin with PUBLISH_READONLY attaches volumes read-only")
	staged := node.NodeStageVolumeRequest(ctx, volume, attached.GetPublishContext())
	if node.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		if _, err := node.NodeStageVolume(ctx, staged); err != nil {
			return
		}
	}
	published := node.NodePublishVolumeRequest(ctx, staged)
	if _, err := node.NodePublishVolume(ctx, published); err != nil {
		return
	}
	if node.TryWrite(ctx, published, "written by csi-topo") != nil {
		return
	}
	if mounted, known := node.Mounted(ctx, published.GetTargetPath()); known && !mounted {
		suite.Skip(suite.ByEnvironment, "nothing is mounted at target_path, so whether the volume is read-only cannot be seen")
	}
	suite.Fail("CP-14", "volume %s is attached to %s with readonly = true, and was written to at %s", volume.GetVolumeId(), node, published.GetTargetPath())
}

// publishWhereAttachedReadOnly publishes the volume read-write first, as a driver may have to make its file system. The
// specification does not say that a node can publish what is attached read-only, of which there is no other use.
func publishWhereAttachedReadOnly(ctx context.Context, driver *harness.Driver) {
	driver.NeedWriter()
	node := driver.Nodes[0]
	volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
	node.TakeAway(ctx, volume, node.Publish(ctx, volume))
	request := driver.ControllerPublishVolumeRequest(volume, node)
	request.Readonly = true
	attached, err := driver.Controller.ControllerPublishVolume(ctx, request)
	harness.ExpectOK("CP-14", err, "a plugin with PUBLISH_READONLY attaches volumes read-only")
	staged := node.NodeStageVolumeRequest(ctx, volume, attached.GetPublishContext())
	published := node.NodePublishVolumeRequest(ctx, staged)
	published.Readonly = true

	if node.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		_, err = node.NodeStageVolume(ctx, staged)
	}
	if err == nil {
		_, err = node.NodePublishVolume(ctx, published)
	}

	suite.Should(ctx, "CP-14", err == nil, "volume %s is attached to %s with readonly = true, and cannot be published there with readonly = true\ngot: %s", volume.GetVolumeId(), node, harness.Describe(err))
}
