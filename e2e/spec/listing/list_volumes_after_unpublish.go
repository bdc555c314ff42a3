package listing

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A node that a volume is not published to any more may still be listed, and a CO then takes it for attached until it
// is not.
func listVolumesAfterUnpublish(s *harness.Suite) {
	labels := verdict.Case("list_volumes_after_unpublish", "LV-05", "LV-07", "LV-10")
	needs := harness.Needs{Nodes: 1, Volumes: 1, Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES, csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME, csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES)}
	s.Case("lists a volume without the node that it was unpublished from", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		under.Attach(ctx, volume, node)
		unpublish(ctx, under, volume, node)

		entry := entryOf(ctx, under, volume)

		gomega.Expect(entry.GetStatus()).NotTo(gomega.BeNil(), "the status of an entry is set where LIST_VOLUMES_PUBLISHED_NODES is claimed (LV-10)")
		if slices.Contains(entry.GetStatus().GetPublishedNodeIds(), node.ID) {
			verdict.Warn("ListVolumes says that volume %s is published to %s, which it was unpublished from (LV-07)", volume.GetVolumeId(), node)
		}
	})
}
