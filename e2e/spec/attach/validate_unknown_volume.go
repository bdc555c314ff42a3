package attach

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Of a volume that was deleted nothing can be said.
func validateUnknownVolume(s *harness.Suite) {
	labels := verdict.Case("validate_unknown_volume", "GEN-09", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1}
	s.Case("answers NOT_FOUND for a volume that does not exist", labels, needs, func(ctx context.Context, under *harness.Driver) {
		deleted := under.DeletedVolume(ctx)

		_, err := under.Controller.ValidateVolumeCapabilities(ctx, validation(under, deleted, under.Mount()))

		gomega.Expect(err).To(harness.BeRefused("a volume that does not exist is NOT_FOUND, the code that ValidateVolumeCapabilities has for it (GEN-09)", codes.NotFound))
	})
}
