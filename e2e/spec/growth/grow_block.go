package growth

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A raw block volume grows too, to no other size than was asked for. Whether the node has to do anything then is the
// driver's to say: node_expansion_required may be true or false.
func growBlock(s *harness.Suite) {
	labels := verdict.Case("grow_block", "CE-11", "CE-12", "CE-13", "CR-03", "CV-06")
	needs := controllerGrowth()
	needs.Block = true
	s.Case("grows a block volume, with or without node_expansion_required", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1), under.Block())
		request := under.ControllerExpandVolumeRequest(volume, larger(under, volume))
		request.VolumeCapability = under.Block()

		grown := mustGrow(ctx, under, request)

		expectReported(ctx, under, volume, grown.GetCapacityBytes())
	})
}
