package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A list of all volumes' health has those with which something is wrong, in well formed entries, over as many pages as
// there are. Volumes with nothing wrong are left out.
func volumeHealthList(s *harness.Suite) {
	labels := verdict.Case("volume_health_list", "VH-01", "VH-03", "VH-04", "VH-05", "VH-06", "VH-07", "VH-08", "VH-09")
	needs := harness.Needs{Volumes: 2, Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH)}
	s.Case("lists the health of volumes, page by page", labels, needs, func(ctx context.Context, under *harness.Driver) {
		newVolumes(ctx, under, 2)

		for _, most := range []int32{0, 1} {
			for _, health := range walkHealth(ctx, under, most) {
				gomega.Expect(malformed(health)).To(gomega.BeEmpty())
				if len(health.GetHealthStatuses()) == 0 {
					verdict.Warn("ControllerListVolumeHealth lists volume %s, with which nothing is wrong: leave it out (VH-04)", health.GetVolumeId())
				}
			}
		}
	})
}
