package attach

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that does not exist is on no node if the plugin may assume that, which should be OK; else it is NOT_FOUND.
func detachUnknownVolume(s *harness.Suite) {
	labels := verdict.Case("detach_unknown_volume", "CU-07", "CU-14", "CU-15", "CU-17", "GEN-15", "GEN-16")
	needs := attaching(1)
	s.Case("answers OK or NOT_FOUND for a volume that does not exist", labels, needs, func(ctx context.Context, under *harness.Driver) {
		deleted := under.DeletedVolume(ctx)

		got := unpublish(ctx, under, under.ControllerUnpublishVolumeRequest(deleted, under.Nodes[0]))

		gomega.Expect(got).To(harness.BeOKOrRefused(
			"a volume that is not found is OK if it can be regarded as unpublished (CU-07), and else NOT_FOUND (CU-17)", codes.NotFound))
	})
}
