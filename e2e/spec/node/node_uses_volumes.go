package node

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Each node brings what the controller published to its node_id to its own paths, and takes it away again: the plugin at a
// node's endpoint is the node that it says it is.
func nodeUsesVolumes(s *harness.Suite) {
	labels := verdict.Case("node_uses_volumes", "NI-02", "NS-01", "NS-06", "NS-16")
	needs := harness.Needs{Volumes: 1, Nodes: 1}
	s.Case("stages and publishes a volume on a node of every segment that the nodes are in, and takes it away again", labels, needs, func(ctx context.Context, under *harness.Driver) {
		var tried model.Set
		for _, node := range under.Nodes {
			if tried.Contains(node.Segment) {
				continue
			}
			tried = append(tried, node.Segment)
			volume := under.NeedVolume(ctx, under.VolumeFor(node))
			why := fmt.Sprintf("%s is the node where the volume will be used (NI-02, NS-01): it is accessible from there, and published to it", node)
			var publishContext map[string]string
			if under.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
				attached, err := under.Controller.ControllerPublishVolume(ctx, under.ControllerPublishVolumeRequest(volume, node))
				gomega.Expect(err).To(harness.BeOK(why))
				publishContext = attached.GetPublishContext()
			}
			staged := node.NodeStageVolumeRequest(ctx, volume, publishContext)
			published := node.NodePublishVolumeRequest(ctx, staged)

			if node.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
				gomega.Expect(stage(ctx, node, staged)).To(harness.BeOK(why))
			}
			gomega.Expect(publish(ctx, node, published)).To(harness.BeOK(why))
			gomega.Expect(unpublish(ctx, node, published)).To(harness.BeOK("NodeUnpublishVolume undoes what NodePublishVolume did (NS-16)"))
			if node.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
				gomega.Expect(unstage(ctx, node, staged)).To(harness.BeOK("NodeUnstageVolume undoes what NodeStageVolume did (NS-06)"))
			}
		}
	})
}
