package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A starting_token that no ControllerListVolumeHealth returned is ABORTED: the CO starts again without one.
func volumeHealthListInvalidToken(s *harness.Suite) {
	labels := verdict.Case("volume_health_list_invalid_token", "VH-11", "GEN-15", "GEN-16")
	needs := harness.Needs{Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH)}
	s.Case("is ABORTED for an invalid starting_token of ControllerListVolumeHealth", labels, needs, func(ctx context.Context, under *harness.Driver) {
		_, err := listHealth(ctx, under, 0, "csi-topo-no-such-token")

		gomega.Expect(err).To(harness.BeRefused("an invalid starting_token is ABORTED (VH-11)", codes.Aborted))
	})
}
