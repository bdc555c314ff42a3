package growth

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A capability that the volume does not have is refused, and the volume stays as it is.
func growUnsupportedCapability(s *harness.Suite) {
	labels := verdict.Case("grow_unsupported_capability", "CE-16", "GEN-15", "GEN-16")
	needs := controllerGrowth()
	s.Case("refuses a volume_capability that the volume does not have", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		request := under.ControllerExpandVolumeRequest(volume, larger(under, volume))
		request.VolumeCapability = under.Unsupported(ctx, volume)
		before := under.Watch(ctx)

		_, err := under.Controller.ControllerExpandVolume(ctx, request)

		const why = "a capability that ValidateVolumeCapabilities does not confirm is INVALID_ARGUMENT (CE-16)"
		gomega.Expect(err).To(harness.BeRefused(why, codes.InvalidArgument))
		expectUnchanged(ctx, under, before, volume)
	})
}
