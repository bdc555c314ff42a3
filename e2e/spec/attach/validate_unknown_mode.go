package attach

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Only what the volume can do is confirmed, and nothing is where one of several capabilities is more than that.
func validateUnknownMode(s *harness.Suite) {
	labels := verdict.Case("validate_unknown_mode", "CV-12", "GEN-09", "GEN-12", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1}
	s.Case("does not confirm an access mode that no specification has, alone or beside another", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		const unknown = 1000
		impossible := harness.As(under.Mount(), unknown)
		for _, asked := range [][]*csi.VolumeCapability{{impossible}, {under.Mount(), impossible}} {
			response, err := under.Controller.ValidateVolumeCapabilities(ctx, validation(under, volume, asked...))
			if err != nil {
				gomega.Expect(err).To(harness.BeRefused("an invalid value is INVALID_ARGUMENT (GEN-12), or is not confirmed", codes.InvalidArgument))
				continue
			}
			gomega.Expect(response.GetConfirmed()).To(gomega.BeNil(),
				"what is confirmed is that the volume satisfies all the capabilities (CV-12), and nobody knows access mode 1000: %v", asked)
		}
	})
}
