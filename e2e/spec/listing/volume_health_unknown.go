package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The health of a volume that does not exist is NOT_FOUND.
func volumeHealthUnknown(s *harness.Suite) {
	labels := verdict.Case("volume_health_unknown", "VH-15", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1, Controller: claims(csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH)}
	s.Case("is NOT_FOUND for the health of a deleted volume, and of one that never was", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		remove(ctx, under, volume)

		for _, id := range []string{volume.GetVolumeId(), harness.Unlike(volume.GetVolumeId())} {
			_, err := healthOf(ctx, under, id)

			gomega.Expect(err).To(harness.BeRefused("volume "+id+" does not exist: that is NOT_FOUND (VH-15)", codes.NotFound))
		}
	})
}
