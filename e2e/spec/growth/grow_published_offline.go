package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A driver that does not claim ONLINE expansion refuses to grow a volume that is published, and leaves it as it was.
func growPublishedOffline(s *harness.Suite) {
	labels := verdict.Case("grow_published_offline", "CE-18", "PC-09", "GEN-15", "GEN-16")
	needs := controllerGrowth()
	needs.Nodes = 1
	needs.NotExpansion = []csi.PluginCapability_VolumeExpansion_Type{csi.PluginCapability_VolumeExpansion_ONLINE}
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)
	s.Case("refuses to grow a published volume when expansion is not ONLINE", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		under.Attach(ctx, volume, node)
		before := under.Watch(ctx)

		_, err := under.Controller.ControllerExpandVolume(ctx, under.ControllerExpandVolumeRequest(volume, larger(under, volume)))

		const why = "a published volume is not expanded without ONLINE: FAILED_PRECONDITION (CE-18)"
		gomega.Expect(err).To(harness.BeRefused(why, codes.FailedPrecondition))
		expectUnchanged(ctx, under, before, volume)
	})
}
