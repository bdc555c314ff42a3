package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Where LIST_VOLUMES_PUBLISHED_NODES is claimed ControllerGetVolume has all nodes that the volume is published to.
func getVolumePublishedNodes(s *harness.Suite) {
	labels := verdict.Case("get_volume_published_nodes", "LV-14", "LV-19")
	needs := harness.Needs{Nodes: 1, Volumes: 1, Controller: claims(csi.ControllerServiceCapability_RPC_GET_VOLUME, csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME, csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES)}
	s.Case("gets a volume with the node that it is published to", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))

		under.Attach(ctx, volume, node)

		under.Eventually(ctx, func(g gomega.Gomega) {
			g.Expect(harness.Need(get(ctx, under, volume.GetVolumeId())).GetStatus().GetPublishedNodeIds()).To(gomega.ContainElement(node.ID),
				"volume %s is published to %s, and published_node_ids has all such nodes (LV-14)", volume.GetVolumeId(), node)
		})
	})
}
