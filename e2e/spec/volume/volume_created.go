package volume

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A plugin that claims CREATE_DELETE_VOLUME makes volumes, and says of each what identifies it. How large it is need not
// be known, which is a capacity_bytes of 0.
func volumeCreated(s *harness.Suite) {
	labels := verdict.Case("volume_created", "CV-01", "GEN-08", "VOL-01", "VOL-02", "VOL-03")
	needs := harness.Needs{Volumes: 1}
	s.Case("makes a volume that has an id", labels, needs, func(ctx context.Context, under *harness.Driver) {
		response, err := under.Controller.CreateVolume(ctx, creation(under))

		gomega.Expect(err).NotTo(gomega.HaveOccurred(), "CreateVolume is implemented where CREATE_DELETE_VOLUME is claimed (CV-01)")
		gomega.Expect(response.GetVolume().GetVolumeId()).NotTo(gomega.BeEmpty(), "volume_id is REQUIRED (VOL-03)")
		gomega.Expect(response.GetVolume().GetCapacityBytes()).To(gomega.BeNumerically(">=", 0), "capacity_bytes is not negative (VOL-02)")
	})
}
