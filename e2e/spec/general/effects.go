// SPDX-License-Identifier: Apache-2.0

package general

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// skipIfFull skips the case if a call was refused for lack of room: others may have taken it.
func skipIfFull(code codes.Code, call string) {
	if code == codes.ResourceExhausted {
		suite.Skip(suite.ByEnvironment, "%s is refused with RESOURCE_EXHAUSTED: there is no room, or the quota is used up", call)
	}
}

// validate validates a volume's capability.
func validate(ctx context.Context, driver *harness.Driver, volume *csi.Volume) error {
	_, err := driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, volume, driver.Capability()))
	return err
}

// expectExists fails the case if the driver does not know the volume in CreateVolume's answer.
func expectExists(ctx context.Context, driver *harness.Driver, volume *csi.Volume) {
	exists := driver.Settled(ctx, effect.Creation, func() bool { return status.Code(validate(ctx, driver, volume)) != codes.NotFound })
	suite.Must("CV-02", exists, "CreateVolume was cut short and repeated, and answered volume %s, which does not exist: ValidateVolumeCapabilities is NOT_FOUND for it", volume.GetVolumeId())
}

// shouldBeDeleted warns if a volume that was deleted still exists once the driver has had time to delete it.
func shouldBeDeleted(ctx context.Context, driver *harness.Driver, volume *csi.Volume) {
	if knowsAnyVolume(ctx, driver) {
		suite.Reduced(ctx, "ValidateVolumeCapabilities knows any volume_id, so that it does not show whether the volume was deleted: that is for validate_unknown_volume to judge")
		return
	}
	deleted := driver.Settled(ctx, effect.Deletion, func() bool { return validate(attempt.Tolerant(ctx), driver, volume) != nil })
	suite.Should(ctx, "DV-01", deleted, "DeleteVolume of volume %s was OK, and ValidateVolumeCapabilities still answers OK for it, not NOT_FOUND", volume.GetVolumeId())
}

// expectSameContext fails the case unless every answer of ControllerPublishVolume has the same publish_context.
func expectSameContext(answers []*csi.ControllerPublishVolumeResponse, published *csi.ControllerPublishVolumeResponse) {
	for _, answer := range answers {
		publication.ExpectSameContext(answer.GetPublishContext(), published.GetPublishContext())
	}
}

// expectPublishedOnce warns unless the calls that report where volumes are published name the node, and name it once.
func expectPublishedOnce(ctx context.Context, driver *harness.Driver, volume *csi.Volume, node *harness.Node) {
	times := map[string]int{}
	once := driver.Settled(ctx, effect.Attachment, func() bool {
		holds := true
		for call, ids := range listing.PublishedNodes(ctx, driver, volume.GetVolumeId()) {
			times[call] = count(ids, node.ID)
			holds = holds && times[call] == 1
		}
		return holds
	})
	suite.Should(ctx, "CP-04", once, "volume %s was published to %s, and published_node_ids has the node this many times: %v", volume.GetVolumeId(), node, times)
}

// shouldBeUnpublished warns if the calls that report where volumes are published still name the node once the driver
// has had time to settle. They may name others (LV-07).
func shouldBeUnpublished(ctx context.Context, driver *harness.Driver, volume *csi.Volume, node *harness.Node) {
	gone := driver.Settled(ctx, effect.Detachment, func() bool {
		for _, ids := range listing.PublishedNodes(ctx, driver, volume.GetVolumeId()) {
			if slices.Contains(ids, node.ID) {
				return false
			}
		}
		return true
	})
	suite.Should(ctx, "LV-07", gone, "volume %s was unpublished from %s, and published_node_ids still has the node", volume.GetVolumeId(), node)
}

func count(ids []string, wanted string) int {
	times := 0
	for _, id := range ids {
		if id == wanted {
			times++
		}
	}
	return times
}

// expectUnstaged unstages the volume by one call, and fails the case if it is still staged then.
func expectUnstaged(ctx context.Context, node *harness.Node, staged *csi.NodeStageVolumeRequest) {
	_, err := node.NodeUnstageVolume(ctx, unstageRequest(staged))
	harness.ExpectOK("NS-06", err, "NodeUnstageVolume of a volume that is staged at the path is OK")
	expectNotAt(ctx, node, staged.GetVolumeId(), staged.GetStagingTargetPath(), staged.GetStagingTargetPath(), "NS-06", "NodeUnstageVolume")
}

// expectNotAt fails the case by the clause if the volume is still at the path after the call: as a mount, or because
// NodeGetVolumeStats succeeds there and for no other path. If neither shows that, the case is reduced.
func expectNotAt(ctx context.Context, node *harness.Node, volumeID, at, staging, clause, call string) {
	mounted, known := data.Mounted(ctx, node, at)
	suite.Must(clause, !mounted, "%s at %s was OK, and a volume is still mounted at %s", call, node, at)
	hasStats := func(path string) bool {
		_, err := node.NodeGetVolumeStats(ctx, &csi.NodeGetVolumeStatsRequest{VolumeId: volumeID, VolumePath: path, StagingTargetPath: staging})
		return err == nil
	}
	if node.Claims(csi.NodeServiceCapability_RPC_GET_VOLUME_STATS) {
		known = true
		if hasStats(at) {
			suite.Must(clause, hasStats(node.StagingPath(ctx)), "%s at %s was OK, and NodeGetVolumeStats still answers OK for %s, and not for another directory", call, node, at)
		}
	}
	if !known {
		suite.Reduced(ctx, "whether the volume is still at %s after %s cannot be seen", at, call)
	}
}
