package growth

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// volume_capability says what the volume is used as, and is optional.
func growNoCapability(s *harness.Suite) {
	labels := verdict.Case("grow_no_capability", "CE-12", "CE-13", "CR-03")
	needs := controllerGrowth()
	s.Case("grows a volume that it is not told the use of", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		request := under.ControllerExpandVolumeRequest(volume, larger(under, volume))
		request.VolumeCapability = nil

		grown := mustGrow(ctx, under, request)

		expectReported(ctx, under, volume, grown.GetCapacityBytes())
	})
}
