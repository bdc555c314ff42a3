// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// reach returns the cases about a volume that the controller attached to a node_id: it can be used at the endpoint of
// the node that returned that id.
func reach() []harness.Case {
	return []harness.Case{{
		ID:           "node_uses_volumes",
		Text:         "attaches, stages, publishes, unpublishes and unstages a volume on one node in every segment, and keeps the node_id of that node meanwhile",
		Requirements: []string{"NI-02", "NI-07", "NI-12", "NS-01", "NS-06", "NS-16"},
		Needs:        harness.Needs(harness.Nodes(1), harness.Volumes(1)),
		Long:         true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			var tried model.Set
			for _, node := range driver.Nodes {
				if !tried.Contains(node.Segment) {
					tried = append(tried, node.Segment)
					useVolume(ctx, driver, node)
				}
			}
		},
	}, {
		// The CO chooses the node, and the plugin need not check it.
		ID:           "node_out_of_reach",
		Text:         "should refuse to use a volume on a node from which it is not accessible",
		Requirements: []string{"NS-01", "GEN-09", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Nodes(2), harness.Segments(2), harness.Volumes(1)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			near := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(near))
			_, beyond := publication.Reaching(driver, volume.GetAccessibleTopology())
			if len(beyond) == 0 {
				suite.Skip(suite.ByEnvironment, "every node endpoint reaches the volume, which is accessible from %s", messages.Segments(volume.GetAccessibleTopology()))
			}
			far := beyond[0]
			staged := publication.StageRequest(ctx, far, volume, publication.Attach(ctx, driver, volume, near))

			var got error
			if stages(far) {
				got = stage(ctx, far, staged)
			} else {
				got = publish(ctx, far, publication.Request(ctx, far, staged))
			}

			why := fmt.Sprintf("volume %s is accessible from %s, and %s is in %s", volume.GetVolumeId(), messages.Segments(volume.GetAccessibleTopology()), far, far.Segment)
			if got == nil {
				suite.Warn(ctx, "NS-01", "%s, and it was staged or published there: its accessible_topology is narrower than the truth, or something else is used there", why)
				return
			}
			harness.ExpectRefused(ctx, "NS-01", got, why)
		},
	}}
}

// useVolume expects every call that a CO makes to use a volume on the node to be OK.
func useVolume(ctx context.Context, driver *harness.Driver, node *harness.Node) {
	volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
	if len(node.Segment) == 0 && !publication.MayReach(node, volume) {
		return // the node reports no topology, though others do
	}
	where := fmt.Sprintf("volume %s is accessible from %s, where it will be used", volume.GetVolumeId(), node)
	published := publication.PublishJudged(ctx, node, volume, driver.Capability(), func(rpc string, err error) {
		clause := "NS-01"
		if rpc == "ControllerPublishVolume" {
			clause = "NI-02" // it has the node_id
		}
		harness.ExpectOK(clause, err, where+": "+rpc)
	})
	if info, err := node.NodeGetInfo(ctx, &csi.NodeGetInfoRequest{}); err == nil {
		suite.Must("NI-07", info.GetNodeId() == node.ID, "node_id identifies the node: %s is %q while it has volume %s", node, info.GetNodeId(), volume.GetVolumeId())
		suite.Must("NI-12", info.GetMaxVolumesPerNode() >= 0, "max_volumes_per_node must not be negative, and for %s, which has volume %s, it is %d", node, volume.GetVolumeId(), info.GetMaxVolumesPerNode())
	}
	harness.ExpectOK("NS-16", unpublish(ctx, node, published), where+": NodeUnpublishVolume undoes what NodePublishVolume did")
	if stages(node) {
		staged := &csi.NodeStageVolumeRequest{VolumeId: published.GetVolumeId(), StagingTargetPath: published.GetStagingTargetPath()}
		harness.ExpectOK("NS-06", unstage(ctx, node, staged), where+": NodeUnstageVolume undoes what NodeStageVolume did")
	}
}
