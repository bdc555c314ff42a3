package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// max_entries is not negative: a request in which it is has an invalid field.
func volumeHealthListNegativeMaxEntries(s *harness.Suite) {
	labels := verdict.Case("volume_health_list_negative_max_entries", "VH-10", "GEN-12", "GEN-15", "GEN-16")
	needs := harness.Needs{Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH)}
	s.Case("is INVALID_ARGUMENT for a negative max_entries of ControllerListVolumeHealth", labels, needs, func(ctx context.Context, under *harness.Driver) {
		_, err := listHealth(ctx, under, -1, "")

		gomega.Expect(err).To(harness.BeRefused("max_entries is not negative (VH-10), and an invalid field is INVALID_ARGUMENT (GEN-12)", codes.InvalidArgument))
	})
}
