package growth

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is on no node grows. What it has then is what the answer says, wherever it is reported. The call has no
// secrets where the profile has none: they are optional.
func growOffline(s *harness.Suite) {
	labels := verdict.Case("grow_offline", "CE-01", "CE-10", "CE-13", "CR-03")
	needs := controllerGrowth()
	s.Case("grows a volume that no node has", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))

		grown := mustGrow(ctx, under, under.ControllerExpandVolumeRequest(volume, larger(under, volume)))

		expectReported(ctx, under, volume, grown.GetCapacityBytes())
	})
}
