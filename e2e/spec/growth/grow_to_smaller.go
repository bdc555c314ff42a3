package growth

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume never shrinks. Asked for less than it has it should answer OK with what it has; to refuse is allowed, and a
// warning.
func growToSmaller(s *harness.Suite) {
	labels := verdict.Case("grow_to_smaller", "CE-03", "CE-13")
	needs := controllerGrowth()
	s.Case("keeps the size of a volume that is asked to become smaller", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		grown := mustGrow(ctx, under, under.ControllerExpandVolumeRequest(volume, larger(under, volume)))
		before := under.Watch(ctx)

		smaller, err := under.Controller.ControllerExpandVolume(ctx, under.ControllerExpandVolumeRequest(volume, under.Size()))

		if err != nil {
			const why = "a volume that is large enough already is OK, or else out of range (CE-03)"
			gomega.Expect(err).To(harness.BeRefused(why, codes.OutOfRange, codes.InvalidArgument))
			verdict.Warn("the volume has %d bytes and is asked for at least %d, which should be OK (CE-03)\ngot: %v", grown.GetCapacityBytes(), under.Size(), err)
		} else {
			gomega.Expect(smaller.GetCapacityBytes()).To(gomega.Equal(grown.GetCapacityBytes()), "expansion never shrinks a volume: it has the capacity that it had (CE-13)")
		}
		gomega.Expect(before.Changes(ctx)).To(gomega.BeEmpty(), "nothing was to be done (CE-03)")
		expectReported(ctx, under, volume, grown.GetCapacityBytes())
	})
}
