package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Where LIST_VOLUMES_PUBLISHED_NODES is claimed every entry has its status, with all nodes that the volume is published
// to. There may be others in it.
func listVolumesPublishedNodes(s *harness.Suite) {
	labels := verdict.Case("list_volumes_published_nodes", "LV-05", "LV-07", "LV-10")
	needs := harness.Needs{Nodes: 1, Volumes: 2, Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES, csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME, csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES)}
	s.Case("lists a volume with the node that it is published to", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		gomega.Expect(entryOf(ctx, under, volume).GetStatus()).NotTo(gomega.BeNil(), "the status of an entry is set where LIST_VOLUMES_PUBLISHED_NODES is claimed (LV-10)")

		under.Attach(ctx, volume, node)

		under.Eventually(ctx, func(g gomega.Gomega) {
			g.Expect(entryOf(ctx, under, volume).GetStatus().GetPublishedNodeIds()).To(gomega.ContainElement(node.ID),
				"volume %s is published to %s, and published_node_ids has all such nodes (LV-10)", volume.GetVolumeId(), node)
		})
	})
}
