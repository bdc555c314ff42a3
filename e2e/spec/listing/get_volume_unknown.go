package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that never was is NOT_FOUND.
func getVolumeUnknown(s *harness.Suite) {
	labels := verdict.Case("get_volume_unknown", "LV-12", "LV-13", "GEN-15", "GEN-16")
	needs := harness.Needs{Controller: claims(csi.ControllerServiceCapability_RPC_GET_VOLUME)}
	s.Case("does not get a volume that never was", labels, needs, func(ctx context.Context, under *harness.Driver) {
		_, err := get(ctx, under, "csi-topo-no-such-volume")

		gomega.Expect(err).To(harness.BeRefused("a volume that does not exist is NOT_FOUND (LV-13)", codes.NotFound))
	})
}
