package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A driver that claims GET_VOLUME_HEALTH tells of one volume what is wrong with it, which is an empty list where it
// knows of nothing. What it says is well formed.
func volumeHealthOfNewVolume(s *harness.Suite) {
	labels := verdict.Case("volume_health_of_new_volume", "VH-07", "VH-08", "VH-09", "VH-12", "VH-13", "VH-14")
	needs := harness.Needs{Volumes: 1, Controller: claims(csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH)}
	s.Case("tells the health of a volume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))

		response, err := healthOf(ctx, under, volume.GetVolumeId())

		gomega.Expect(err).To(harness.BeOK("GET_VOLUME_HEALTH is claimed, so ControllerGetVolumeHealth is implemented (VH-12), and tells of a sound volume too (VH-13)"))
		gomega.Expect(response.GetVolumeHealth()).NotTo(gomega.BeNil(), "volume_health is REQUIRED (VH-14)")
		gomega.Expect(response.GetVolumeHealth().GetVolumeId()).To(gomega.Equal(volume.GetVolumeId()), "it is the health of the volume that was asked for (VH-07)")
		gomega.Expect(malformed(response.GetVolumeHealth())).To(gomega.BeEmpty())
	})
}
