package growth

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is deleted is unknown: its volume_id is one that the driver made itself.
func growUnknownVolume(s *harness.Suite) {
	labels := verdict.Case("grow_unknown_volume", "CE-17", "GEN-15", "GEN-16")
	needs := controllerGrowth()
	s.Case("does not find a volume that was deleted", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.DeletedVolume(ctx)

		_, err := under.Controller.ControllerExpandVolume(ctx, under.ControllerExpandVolumeRequest(volume, under.GrownSize()))

		gomega.Expect(err).To(harness.BeRefused("a volume that does not exist is NOT_FOUND (CE-17)", codes.NotFound))
	})
}
