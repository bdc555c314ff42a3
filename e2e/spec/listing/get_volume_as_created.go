package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What ControllerGetVolume says of a volume is what CreateVolume said: its volume_context, and its size where both know
// it.
func getVolumeAsCreated(s *harness.Suite) {
	labels := verdict.Case("get_volume_as_created", "LV-15", "VOL-01", "VOL-02", "VOL-12")
	needs := harness.Needs{Volumes: 1, Controller: claims(csi.ControllerServiceCapability_RPC_GET_VOLUME)}
	s.Case("gets a volume as CreateVolume answered it", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))

		got := harness.Need(get(ctx, under, volume.GetVolumeId())).GetVolume()

		expectSameContext(got, volume, "ControllerGetVolume")
		gomega.Expect(got.GetCapacityBytes()).To(gomega.BeNumerically(">=", 0), "capacity_bytes is not negative (VOL-02)")
		if got, want := got.GetCapacityBytes(), volume.GetCapacityBytes(); got > 0 && want > 0 && got != want {
			verdict.Warn("ControllerGetVolume says that volume %s has %d bytes, and CreateVolume said %d", volume.GetVolumeId(), got, want)
		}
	})
}
