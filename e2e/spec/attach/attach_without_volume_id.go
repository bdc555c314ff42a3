package attach

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// ControllerPublishVolume cannot do without a volume_id.
func attachWithoutVolumeID(s *harness.Suite) {
	labels := verdict.Case("attach_without_volume_id", "CP-08", "GEN-05", "GEN-11", "GEN-15", "GEN-16")
	needs := attaching(1)
	s.Case("answers INVALID_ARGUMENT without a volume_id", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.VolumeFor(under.Nodes[0]))
		request := under.ControllerPublishVolumeRequest(volume, under.Nodes[0])
		request.VolumeId = ""

		gomega.Expect(publish(ctx, under, request)).To(harness.BeRefused(
			"volume_id is REQUIRED (CP-08): a call without it is INVALID_ARGUMENT (GEN-11)", codes.InvalidArgument))
	})
}
