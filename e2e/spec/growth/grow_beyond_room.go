package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume cannot become larger than what it has and what is left of its segment. The capacity that is left must not
// become negative.
func growBeyondRoom(s *harness.Suite) {
	labels := verdict.Case("grow_beyond_room", "CE-19", "CAP-13", "GEN-15", "GEN-16")
	needs := controllerGrowth()
	needs.ExactCapacity = true
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_GET_CAPACITY)
	s.Case("refuses to grow a volume by more than is available", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		var most int64
		for _, place := range harness.Segments(volume.GetAccessibleTopology()) {
			most = max(most, harness.Need(under.Controller.GetCapacity(ctx, under.CapacityRequest(place))).GetAvailableCapacity())
		}
		if len(volume.GetAccessibleTopology()) == 0 {
			most = harness.Need(under.Controller.GetCapacity(ctx, under.CapacityRequest(nil))).GetAvailableCapacity()
		}

		const exbibyte = 1 << 60
		for _, bytes := range []int64{most + 1, exbibyte} {
			refuseGrowthBy(ctx, under, volume, bytes)
		}
	})
}
