package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that never was, or does not exist any more, is NOT_FOUND. Only a driver that deletes volumes has the latter.
func getVolumeUnknown(s *harness.Suite) {
	labels := verdict.Case("get_volume_unknown", "LV-12", "LV-13", "GEN-15", "GEN-16")
	needs := harness.Needs{Controller: claims(csi.ControllerServiceCapability_RPC_GET_VOLUME)}
	s.Case("does not get a volume that never was, nor a deleted one", labels, needs, func(ctx context.Context, under *harness.Driver) {
		unknown := []string{"csi-topo-no-such-volume"}
		if under.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME) {
			deleted := under.DeletedVolume(ctx).GetVolumeId()
			unknown = []string{deleted, harness.Unlike(deleted)}
		}

		for _, id := range unknown {
			_, err := get(ctx, under, id)

			gomega.Expect(err).To(harness.BeRefused("volume "+id+" does not exist: that is NOT_FOUND (LV-13)", codes.NotFound))
		}
	})
}
