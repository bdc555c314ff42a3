package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A capacity_range has required_bytes or limit_bytes. In CreateVolume it is a warning when one with neither is taken for
// none, as there may be none; here there may not (CE-09), and nothing is left to grow to.
func growEmptyRange(s *harness.Suite) {
	labels := verdict.Case("grow_empty_range", "CR-02", "GEN-11", "GEN-15", "GEN-16")
	needs := controllerGrowth()
	s.Case("refuses a growth with a capacity_range that says nothing", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		before := under.Watch(ctx)
		request := under.ControllerExpandVolumeRequest(volume, 0)
		request.CapacityRange = &csi.CapacityRange{}

		_, err := under.Controller.ControllerExpandVolume(ctx, request)

		const why = "a capacity_range with neither required_bytes nor limit_bytes (CR-02) is INVALID_ARGUMENT (GEN-11)"
		gomega.Expect(err).To(harness.BeRefused(why, codes.InvalidArgument))
		expectUnchanged(ctx, under, before, volume)
	})
}
