package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A driver that claims GET_VOLUME tells of one volume: the volume, and its status, which is REQUIRED here.
func getVolumeAnswers(s *harness.Suite) {
	labels := verdict.Case("get_volume_answers", "LV-11", "LV-15", "LV-19", "VOL-03")
	needs := harness.Needs{Volumes: 1, Controller: claims(csi.ControllerServiceCapability_RPC_GET_VOLUME)}
	s.Case("gets a volume, and its status", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))

		response, err := get(ctx, under, volume.GetVolumeId())

		gomega.Expect(err).To(harness.BeOK("GET_VOLUME is claimed, so ControllerGetVolume is implemented (LV-11)"))
		gomega.Expect(response.GetVolume().GetVolumeId()).To(gomega.Equal(volume.GetVolumeId()), "the volume is REQUIRED (LV-15), with its id (VOL-03)")
		gomega.Expect(response.GetStatus()).NotTo(gomega.BeNil(), "the status is REQUIRED (LV-19)")
	})
}
