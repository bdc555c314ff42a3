// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"cmp"
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/absent"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// attachingWrongly returns the cases about a volume that cannot be attached, and is refused.
func attachingWrongly() []harness.Case {
	return []harness.Case{{
		ID:           "attach_out_of_reach",
		Text:         "refuses to attach a volume to a node from which it is not accessible, before and after it is attached to another",
		Requirements: []string{"CP-11", "CP-12", "CP-28", "GEN-09", "GEN-15", "GEN-16"},
		Needs:        beyond(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.VolumeFor(driver.Nodes[0]))
			far := outOfReach(driver, volume)
			expectRefused := func() {
				// The specification names no code for it.
				harness.ExpectRefused(ctx, "CP-12", attach(ctx, driver, publication.AttachRequest(driver, volume, far)), fmt.Sprintf(
					"the plugin ensures that an attached volume can be used, or fails: volume %s is accessible from %s, and %s is in %s",
					volume.GetVolumeId(), messages.Segments(volume.GetAccessibleTopology()), far, far.Segment))
			}

			expectRefused()
			publication.Attach(ctx, driver, volume, publication.For(driver.Nodes[0], volume)) // which a driver may remember
			expectRefused()
		},
	}, {
		ID:           "attach_unknown_volume",
		Text:         "returns NOT_FOUND for a volume that does not exist",
		Requirements: []string{"CP-28", "CP-29", "CP-31", "GEN-15", "GEN-16"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			deleted := deletion.Volume(ctx, driver)
			request := publication.AttachRequest(driver, deleted, driver.Nodes[0])

			deletion.ExpectUnknown(ctx, driver, "CP-31", deleted, "ControllerPublishVolume", func() error { return attach(ctx, driver, request) })
		},
	}, {
		ID:           "attach_unknown_node",
		Text:         "returns NOT_FOUND for a node that does not exist, and refuses it for an attached volume",
		Requirements: []string{"CP-28", "CP-29", "CP-32", "GEN-15", "GEN-16"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
			request := publication.AttachRequest(driver, volume, node)
			request.NodeId = absent.Unlike(node.ID)
			why := fmt.Sprintf("a node that does not exist is NOT_FOUND, and no node has the node_id %q", request.GetNodeId())

			harness.ExpectRefused(ctx, "CP-32", attach(ctx, driver, request), why, codes.NotFound)
			publication.Attach(ctx, driver, volume, node) // which a driver may remember
			harness.ExpectRefused(ctx, "CP-32", attach(ctx, driver, request), why+"; the volume is on another node, which may be FAILED_PRECONDITION", codes.NotFound, codes.FailedPrecondition)
		},
	}, {
		ID:           "attach_unknown_mode",
		Text:         "should refuse an access mode that no version of the specification has",
		Requirements: []string{"CP-11", "CP-12", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := publication.AttachRequest(driver, driver.NeedVolume(ctx, driver.VolumeFor(driver.Nodes[0])), driver.Nodes[0])
			request.VolumeCapability = messages.As(driver.Capability(), unknownMode)

			harness.ExpectMistakeRefused(ctx, "CP-12", attach(ctx, driver, request), "the plugin ensures that an attached volume can be used as described, or fails: no specification has the access mode 1000")
		},
	}}
}

// attachingToTheLimit returns the case about max_volumes_per_node, which a CO schedules by. The controller may enforce
// it as well, and then returns RESOURCE_EXHAUSTED. Others may use the node too, so that it may be full earlier.
func attachingToTheLimit() []harness.Case {
	return []harness.Case{{
		ID:           "attach_limit",
		Text:         "returns RESOURCE_EXHAUSTED beyond max_volumes_per_node, does not report a negative limit then, answers repeated calls for attached volumes as before, and attaches another volume once one is detached",
		Requirements: []string{"CP-04", "CP-05", "CP-22", "CP-29", "CP-36", "CU-10", "NI-12", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(needs(1), harness.Alone()), // the case attaches as many volumes to a node as it takes
		Run:          attachBeyondTheLimit,
	}}
}

func attachBeyondTheLimit(ctx context.Context, driver *harness.Driver) {
	node := needLimit(driver)
	var attached []*csi.Volume
	var publishContexts []map[string]string
	var refused error
	expectAttached := func(from int) {
		for i, volume := range attached[from:] {
			expectAgain(ctx, driver, publication.AttachRequest(driver, volume, node), publishContexts[from+i])
		}
	}
	for range node.MaxVolumes + 1 {
		volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
		mustReach(node, volume)
		response, err := driver.Controller.ControllerPublishVolume(ctx, publication.AttachRequest(driver, volume, node))
		if refused = err; err != nil {
			break
		}
		attached, publishContexts = append(attached, volume), append(publishContexts, response.GetPublishContext())
	}
	expectNoNegativeLimit(ctx, node, attached, publishContexts)
	expectAttached(0)
	if refused == nil {
		suite.Warn(ctx, "CP-36", "%s has max_volumes_per_node = %d, and %d volumes were attached to it: a pod that is not scheduled by the limit, such as one with a nodeName, is not refused", node, node.MaxVolumes, len(attached))
		return
	}
	harness.ExpectRefused(ctx, "CP-36", refused, fmt.Sprintf("%s has max_volumes_per_node = %d and %d volumes of the case: a call beyond its limit is RESOURCE_EXHAUSTED", node, node.MaxVolumes, len(attached)), codes.ResourceExhausted)
	if len(attached) == 0 {
		suite.Skip(suite.ByEnvironment, "not even one volume can be attached to %s: %v", node, refused)
	}
	switch got := int64(len(attached)); {
	case got >= node.MaxVolumes:
	case driver.HasLeftAttached():
		suite.Reduced(ctx, "only %d volumes were attached to %s, which has max_volumes_per_node = %d: the run itself may have left others there, which it could not detach", got, node, node.MaxVolumes)
	default:
		suite.Warn(ctx, "CP-29", "%s has max_volumes_per_node = %d, and only %d were attached: unless others have volumes on it, pods will be scheduled to it that cannot start", node, node.MaxVolumes, got)
	}

	harness.ExpectOK("CU-10", detach(ctx, driver, publication.DetachRequest(driver, attached[0], node)), "the volume is detached from the node that node_id names")
	expectAttached(1)

	another := driver.NeedVolume(ctx, driver.VolumeFor(node))
	mustReach(node, another)
	harness.ExpectOK("CP-36", attach(ctx, driver, publication.AttachRequest(driver, another, node)), "RESOURCE_EXHAUSTED is for a node with the maximum number of volumes, and one was detached")
}

// expectNoNegativeLimit asks the node for its limit once it has the volumes. It stages the last of them, which a node may
// count as well; other cases judge whether it can be staged.
func expectNoNegativeLimit(ctx context.Context, node *harness.Node, attached []*csi.Volume, publishContexts []map[string]string) {
	if last := len(attached) - 1; last > 0 && node.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		_, _ = node.NodeStageVolume(ctx, publication.StageRequest(ctx, node, attached[last], publishContexts[last]))
	}
	info := harness.NeedOK(node.NodeGetInfo(ctx, &csi.NodeGetInfoRequest{}))
	suite.Must("NI-12", info.GetMaxVolumesPerNode() >= 0, "max_volumes_per_node must not be negative, and for %s, which has %d volumes, it is %d", node, len(attached), info.GetMaxVolumesPerNode())
}

// mustReach skips the case if the volume, which was requested in the node's segment, is not accessible from the node: a
// refusal says nothing about the limit then.
func mustReach(node *harness.Node, volume *csi.Volume) {
	if !publication.MayReach(node, volume) {
		suite.Skip(suite.ByEnvironment, "volume %s was to be created for %s in %s, and is accessible from %s", volume.GetVolumeId(), node, node.Segment, messages.Segments(volume.GetAccessibleTopology()))
	}
}

// needLimit returns the node with the lowest limit. Its segment has room for two volumes more than that; otherwise the case is
// skipped.
func needLimit(driver *harness.Driver) *harness.Node {
	const usual = 64 // volumes that the case creates, unless the profile lets it create others
	most := int64(cmp.Or(driver.Profile().Fill.Volumes, usual))
	var lowest *harness.Node
	for _, node := range driver.Nodes {
		if node.MaxVolumes > 0 && (lowest == nil || node.MaxVolumes < lowest.MaxVolumes) {
			lowest = node
		}
	}
	if lowest == nil {
		suite.Skip(suite.ByEnvironment, "no node has a max_volumes_per_node")
	}
	if lowest.MaxVolumes > most {
		suite.Skip(suite.ByEnvironment, "the lowest max_volumes_per_node is %d, and the case creates at most %d volumes: fill.volumes in the profile lets it create more", lowest.MaxVolumes, most)
	}
	need := (lowest.MaxVolumes + 2) * driver.Size()
	if available, told := driver.Room.Available(lowest.Segment); told && available < need {
		suite.Skip(suite.ByEnvironment, "%s has room for %d bytes, and the case needs %d", lowest.Segment, available, need)
	}
	return lowest
}
