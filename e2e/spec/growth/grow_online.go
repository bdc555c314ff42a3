package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A driver that claims ONLINE expansion grows a volume while a node has it.
func growOnline(s *harness.Suite) {
	labels := verdict.Case("grow_online", "PC-07", "CE-04", "CE-13", "CR-03")
	needs := controllerGrowth()
	needs.Nodes = 1
	needs.Expansion = []csi.PluginCapability_VolumeExpansion_Type{csi.PluginCapability_VolumeExpansion_ONLINE}
	s.Case("grows a volume while it is published", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		node.Publish(ctx, volume)

		grown := mustGrow(ctx, under, under.ControllerExpandVolumeRequest(volume, larger(under, volume)))

		expectReported(ctx, under, volume, grown.GetCapacityBytes())
	})
}
