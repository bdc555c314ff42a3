package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that does not exist any more is NOT_FOUND.
func getVolumeDeleted(s *harness.Suite) {
	labels := verdict.Case("get_volume_deleted", "LV-12", "LV-13", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1, Controller: claims(csi.ControllerServiceCapability_RPC_GET_VOLUME)}
	s.Case("does not get a deleted volume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		remove(ctx, under, volume)

		_, err := get(ctx, under, volume.GetVolumeId())

		gomega.Expect(err).To(harness.BeRefused("a volume that does not exist any more is NOT_FOUND (LV-13)", codes.NotFound))
	})
}
