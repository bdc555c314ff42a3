package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// volume_id is required.
func growNoVolumeID(s *harness.Suite) {
	labels := verdict.Case("grow_no_volume_id", "CE-08", "GEN-05", "GEN-11", "GEN-15", "GEN-16")
	needs := controllerGrowth()
	needs.Volumes = 0
	s.Case("refuses a growth without volume_id", labels, needs, func(ctx context.Context, under *harness.Driver) {
		before := under.Watch(ctx)

		_, err := under.Controller.ControllerExpandVolume(ctx, under.ControllerExpandVolumeRequest(&csi.Volume{}, under.GrownSize()))

		gomega.Expect(err).To(harness.BeRefused("volume_id is required (CE-08): without it the call is INVALID_ARGUMENT (GEN-11)", codes.InvalidArgument))
		gomega.Expect(before.Changes(ctx)).To(gomega.BeEmpty())
	})
}
