package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// capacity_range is required, and one of its fields.
func growNoRange(s *harness.Suite) {
	labels := verdict.Case("grow_no_range", "CE-09", "CR-02", "GEN-05", "GEN-11", "GEN-15", "GEN-16")
	needs := controllerGrowth()
	s.Case("refuses a growth without capacity_range, or with one that says nothing", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		before := under.Watch(ctx)
		for _, asked := range []*csi.CapacityRange{nil, {}} {
			ginkgo.By("capacity_range: {" + asked.String() + "}")
			request := under.ControllerExpandVolumeRequest(volume, 0)
			request.CapacityRange = asked

			_, err := under.Controller.ControllerExpandVolume(ctx, request)

			const why = "capacity_range is required (CE-09), with required_bytes or limit_bytes (CR-02): without them it is INVALID_ARGUMENT (GEN-11)"
			gomega.Expect(err).To(harness.BeRefused(why, codes.InvalidArgument))
		}
		expectUnchanged(ctx, under, before, volume)
	})
}
