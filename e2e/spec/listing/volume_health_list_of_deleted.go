package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is deleted is not known any more, so nothing is said of its health.
func volumeHealthListOfDeleted(s *harness.Suite) {
	labels := verdict.Case("volume_health_list_of_deleted", "VH-03")
	needs := harness.Needs{Volumes: 1, Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH)}
	s.Case("does not list the health of a deleted volume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		remove(ctx, under, volume)

		under.Eventually(ctx, func(g gomega.Gomega) {
			for _, health := range walkHealth(ctx, under, 0) {
				g.Expect(health.GetVolumeId()).NotTo(gomega.Equal(volume.GetVolumeId()), "the list is of the volumes that the driver knows (VH-03)")
			}
		})
	})
}
