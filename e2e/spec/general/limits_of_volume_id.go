package general

import (
	"context"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// An id of more than 128 bytes is an invalid value, and that of no volume. Either code says so, and no other does.
func limitsOfVolumeID(s *harness.Suite) {
	labels := verdict.Case("limits_of_volume_id", "GEN-04", "GEN-12", "GEN-15", "GEN-16")
	s.Case("refuses a volume_id of 129 bytes", labels, claiming(), func(ctx context.Context, under *harness.Driver) {
		_, err := under.Controller.ValidateVolumeCapabilities(ctx, &csi.ValidateVolumeCapabilitiesRequest{
			VolumeId:           strings.Repeat("v", stringBytes+1),
			VolumeCapabilities: []*csi.VolumeCapability{under.Mount()},
			Secrets:            under.Profile().Secrets.ValidateVolume,
		})

		gomega.Expect(err).To(harness.BeRefused("a volume_id that is too long is INVALID_ARGUMENT (GEN-12), or that of no volume", codes.InvalidArgument, codes.NotFound))
	})
}
