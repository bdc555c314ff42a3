package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What a volume has taken of its segment after it grew is the size that it has then, no more and no less, and nothing
// of any other segment.
func growthInOneZone(s *harness.Suite) {
	labels := verdict.Case("growth_in_one_zone", "CE-13", "CAP-07", "CAP-11", "CAP-12", "CAP-13")
	needs := controllerGrowth()
	needs.ExactCapacity = true
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_GET_CAPACITY)
	s.Case("takes the growth from the capacity of the volume's own segment", labels, needs, func(ctx context.Context, under *harness.Driver) {
		before := under.Watch(ctx)
		volume := under.NeedVolume(ctx, under.Volume(1))

		bytes := grown(ctx, under, volume)

		gomega.Expect(before.Taken(ctx, bytes, volume.GetAccessibleTopology())).To(gomega.BeEmpty(),
			"the volume has %d bytes after expansion (CE-13), and GetCapacity tells what is left of its segment (CAP-07)", bytes)
	})
}
