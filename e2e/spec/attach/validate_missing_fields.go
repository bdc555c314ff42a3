package attach

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// ValidateVolumeCapabilities cannot do without a volume_id, nor without capabilities.
func validateMissingFields(s *harness.Suite) {
	labels := verdict.Case("validate_missing_fields", "GEN-05", "GEN-06", "GEN-11", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1}
	s.Case("answers INVALID_ARGUMENT without a volume_id, and without capabilities", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))

		_, err := under.Controller.ValidateVolumeCapabilities(ctx, validation(under, &csi.Volume{}, under.Mount()))
		gomega.Expect(err).To(harness.BeRefused("volume_id is REQUIRED: a call without it is INVALID_ARGUMENT (GEN-11)", codes.InvalidArgument))
		_, err = under.Controller.ValidateVolumeCapabilities(ctx, validation(under, volume))
		gomega.Expect(err).To(harness.BeRefused("volume_capabilities is REQUIRED, and has at least one element (GEN-06): a call without is INVALID_ARGUMENT (GEN-11)", codes.InvalidArgument))
	})
}
