package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is deleted is not known any more.
func listVolumesWithoutDeleted(s *harness.Suite) {
	labels := verdict.Case("list_volumes_without_deleted", "LV-01")
	needs := harness.Needs{Volumes: 2, Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)}
	s.Case("does not list a deleted volume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		made := newVolumes(ctx, under, 2)

		remove(ctx, under, made[0])

		under.Eventually(ctx, func(g gomega.Gomega) {
			listed, _ := walk(ctx, under, 0)
			g.Expect(listed[made[0].GetVolumeId()]).To(gomega.BeZero(), "volume %s was deleted, and is listed (LV-01)", made[0].GetVolumeId())
			g.Expect(listed[made[1].GetVolumeId()]).To(gomega.Equal(1), "volume %s was not deleted, and is listed once (LV-01)", made[1].GetVolumeId())
		})
	})
}
