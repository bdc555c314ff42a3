package growth

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Asked again for the size that it has, a volume keeps it: the call is idempotent.
func growAgain(s *harness.Suite) {
	labels := verdict.Case("grow_again", "CE-02", "CE-03", "CE-13")
	needs := controllerGrowth()
	s.Case("answers a repeated growth with the same size, and takes nothing more", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		request := under.ControllerExpandVolumeRequest(volume, larger(under, volume))
		first := mustGrow(ctx, under, request)
		before := under.Watch(ctx)

		again, err := under.Controller.ControllerExpandVolume(ctx, request)

		gomega.Expect(err).To(harness.BeOK("the same growth again is idempotent (CE-02)"))
		gomega.Expect(again.GetCapacityBytes()).To(gomega.Equal(first.GetCapacityBytes()), "the volume has the size that it had (CE-02)")
		gomega.Expect(before.Changes(ctx)).To(gomega.BeEmpty(), "the same growth again takes nothing (CE-02)")
	})
}
