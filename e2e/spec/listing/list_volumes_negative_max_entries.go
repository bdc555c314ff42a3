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
func listVolumesNegativeMaxEntries(s *harness.Suite) {
	labels := verdict.Case("list_volumes_negative_max_entries", "LV-18", "GEN-12", "GEN-15", "GEN-16")
	needs := harness.Needs{Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)}
	s.Case("is INVALID_ARGUMENT for a negative max_entries", labels, needs, func(ctx context.Context, under *harness.Driver) {
		_, err := list(ctx, under, -1, "")

		gomega.Expect(err).To(harness.BeRefused("max_entries is not negative (LV-18), and an invalid field is INVALID_ARGUMENT (GEN-12)", codes.InvalidArgument))
	})
}
