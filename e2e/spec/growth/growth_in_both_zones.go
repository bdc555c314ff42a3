package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that has its data in two segments grows in both.
func growthInBothZones(s *harness.Suite) {
	labels := verdict.Case("growth_in_both_zones", "CE-13", "CAP-07", "CAP-13")
	needs := controllerGrowth()
	needs.Segments, needs.AccessibleFrom, needs.Volumes = 2, 2, 4
	needs.ExactCapacity = true
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_GET_CAPACITY)
	s.Case("takes the growth of a volume in Z2 and Z3 from both", labels, needs, func(ctx context.Context, under *harness.Driver) {
		before := under.Watch(ctx)
		volume := under.NeedVolume(ctx, under.Volume(2).Within(under.Z2, under.Z3))

		bytes := grown(ctx, under, volume)

		gomega.Expect(before.Taken(ctx, bytes, volume.GetAccessibleTopology())).To(gomega.BeEmpty(),
			"the volume has %d bytes after expansion (CE-13), in each of its segments", bytes)
	})
}
