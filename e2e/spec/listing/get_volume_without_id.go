package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// volume_id is REQUIRED.
func getVolumeWithoutID(s *harness.Suite) {
	labels := verdict.Case("get_volume_without_id", "GEN-05", "GEN-11", "GEN-15", "GEN-16", "LV-11")
	needs := harness.Needs{Controller: claims(csi.ControllerServiceCapability_RPC_GET_VOLUME)}
	s.Case("is INVALID_ARGUMENT for ControllerGetVolume without volume_id", labels, needs, func(ctx context.Context, under *harness.Driver) {
		_, err := get(ctx, under, "")

		gomega.Expect(err).To(harness.BeRefused("volume_id is REQUIRED (GEN-05), and a missing field is INVALID_ARGUMENT (GEN-11)", codes.InvalidArgument))
	})
}
