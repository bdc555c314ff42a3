package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A starting_token that no ListVolumes returned is ABORTED: the CO starts again without one.
func listVolumesInvalidToken(s *harness.Suite) {
	labels := verdict.Case("list_volumes_invalid_token", "LV-17", "GEN-15", "GEN-16")
	needs := harness.Needs{Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)}
	s.Case("is ABORTED for an invalid starting_token", labels, needs, func(ctx context.Context, under *harness.Driver) {
		_, err := list(ctx, under, 0, "csi-topo-no-such-token")

		gomega.Expect(err).To(harness.BeRefused("an invalid starting_token is ABORTED (LV-17)", codes.Aborted))
	})
}
