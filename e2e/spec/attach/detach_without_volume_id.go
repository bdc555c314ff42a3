package attach

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// ControllerUnpublishVolume cannot do without a volume_id.
func detachWithoutVolumeID(s *harness.Suite) {
	labels := verdict.Case("detach_without_volume_id", "CU-08", "CU-14", "GEN-05", "GEN-11", "GEN-15", "GEN-16")
	needs := attaching(1)
	s.Case("answers INVALID_ARGUMENT without a volume_id", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := under.ControllerUnpublishVolumeRequest(&csi.Volume{}, under.Nodes[0])

		gomega.Expect(unpublish(ctx, under, request)).To(harness.BeRefused(
			"volume_id is REQUIRED (CU-08): a call without it is INVALID_ARGUMENT (GEN-11)", codes.InvalidArgument))
	})
}
